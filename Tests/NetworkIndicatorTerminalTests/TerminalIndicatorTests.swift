import NetworkIndicator
import NetworkIndicatorTestKit
import TestSupport
import Testing

@testable import NetworkIndicatorTerminal

@MainActor @Suite
struct TerminalIndicatorTests {
    let device = RecordingDevice()
    let screen: TerminalScreen
    let scheduler = ManualScheduler()
    let row = Lock(TerminalIndicator.Row("Label"))

    init() { screen = TerminalScreen(device: device) }

    func indicator(
        _ environment: [String: String] = [:], style: TerminalIndicator.Style = .init(frames: ["*"]),
        _ content: (@MainActor @Sendable () -> TerminalIndicator.Row)? = nil,
        rows: (@MainActor @Sendable () -> [TerminalIndicator.Row])? = nil,
        idleRow: (@MainActor @Sendable () -> TerminalIndicator.Row?)? = nil
    ) -> TerminalIndicator {
        let base = ["TERM": "xterm", "LANG": "en_US.UTF-8", "NO_COLOR": "1"]
        return TerminalIndicator(
            style: style, content ?? { [row] in row.withLock { $0 } }, rows: rows, idleRow: idleRow,
            environment: TerminalEnvironment(base.merging(environment) { $1 }), screen: screen, scheduler: scheduler,
            startTimer: { [scheduler] interval, work in
                scheduler.schedule(at: scheduler.now.advanced(by: interval), repeatingEvery: interval) { work() }
            })
    }

    func rows(after milliseconds: Int) -> [String] {
        scheduler.advance(by: .milliseconds(milliseconds))
        return device.rows
    }

    // MARK: Frames

    @Test func drawsAtOnceThenAtEachIntervalAndErasesItself() {
        let indicator = indicator(style: .init(frames: ["a", "日", "c"]))
        #expect(scheduler.timerCount == 0)
        indicator.setVisible(true)
        #expect(device.rows == [" a  Label"])
        #expect(rows(after: 99) == [" a  Label"] && rows(after: 1) == [" 日 Label"])
        #expect(rows(after: 150) == [" c  Label"] && rows(after: 100) == [" a  Label"])
        device.change { $0.conditions.columns = 3 }
        #expect(rows(after: 500) == [], "a picture that doesn't fit isn't drawn")
        indicator.setVisible(false)
        #expect(device.rows == [] && scheduler.timerCount == 0)
        _ = device.takeWritten()
        scheduler.advance(by: .seconds(10))
        #expect(device.takeWritten() == [])
    }

    @Test(arguments: [(.milliseconds(-5), 50), (.milliseconds(250), 4), (.seconds(Int64.max), 1)] as [(Duration, Int)])
    func intervalsAreClamped(interval: Duration, count: Int) {
        let indicator = indicator(style: .init(interval: interval))
        indicator.setVisible(true)
        _ = device.takeWritten()
        scheduler.advance(by: .seconds(1))
        #expect(device.takeWritten().count == count)
        indicator.setVisible(false)
    }

    // MARK: Closures

    @Test func theLabelIsCalledTwiceASecondOutsideTheLocks() {
        let (count, own) = (Lock(0), Lock<TerminalIndicator?>(nil))
        let indicator = indicator {
            own.withLock { $0 }?.print("asked")  // deadlocks if the indicator calls `label` while it holds a lock
            return count.withLock { count in
                count += 1
                return .init("\(count)")
            }
        }
        own.withLock { $0 = indicator }
        indicator.setVisible(true)
        #expect(rows(after: 499) == ["asked", " * 1"] && rows(after: 1) == ["asked", "asked", " * 2"])
        #expect(count.withLock { $0 } == 2)
        indicator.setVisible(false)
        own.withLock { $0 = nil }
    }

    @Test func aLabelMaySwitchItsIndicatorOff() {
        let own = Lock<TerminalIndicator?>(nil)
        let indicator = indicator {
            own.withLock { $0 }?.setVisible(false)
            return "Label"
        } idleRow: {
            "waiting"
        }
        indicator.setVisible(true)
        own.withLock { $0 = indicator }
        #expect(rows(after: 500) == [" ⏸ waiting"])
        own.withLock { $0 = nil }
        indicator.didDetach()
        #expect(device.rows == [] && scheduler.timerCount == 0)
    }

    @Test func anUpdateThatIsRequestedDuringTheDrawingIsNotLost() {
        let indicator = indicator()
        indicator.setVisible(true)
        row.withLock { $0 = "second" }
        device.stallNext(.frame) { [row] in
            row.withLock { $0 = "third" }
            indicator.requestUpdate()
        }
        indicator.requestUpdate()
        scheduler.advance(by: .zero)
        #expect(device.rows == [" * third"] && device.takeWritten().count == 3)
        indicator.setVisible(false)
    }

    @Test(arguments: ["print", "suspend"])
    func otherOutputUpdatesTheRowAtOnce(kind: String) {
        let indicator = indicator()
        indicator.setVisible(true)
        row.withLock { $0 = "second" }
        indicator.redraw()
        row.withLock { $0 = "third" }
        if kind == "print" { indicator.print("text") } else { indicator.suspend { device.write("text\n") } }
        #expect(device.rows[0] == "text" && device.rows[1].hasSuffix(" second"), "until the closure runs")
        #expect(rows(after: 0)[1].hasSuffix(" third"))
        row.withLock { $0 = "fourth" }
        #expect(rows(after: 100)[1].hasSuffix(" third"), "a new picture doesn't read the label")
        indicator.setVisible(false)
    }

    // MARK: Conditions

    @Test(arguments: [
        (TerminalIndicator.Mode.always, "1", true, true), (.automatic, "1", true, false), (.never, "", true, false),
        (.always, "", false, false), (.automatic, "", false, false),
    ])
    func theModeAndTheTerminalDecide(mode: TerminalIndicator.Mode, ci: String, isTerminal: Bool, draws: Bool) {
        device.change { $0.isTerminal = isTerminal }
        let indicator = indicator(["CI": ci], style: .init(animation: mode, progress: .always), idleRow: { "waiting" })
        indicator.setVisible(true)
        scheduler.advance(by: .seconds(1))
        indicator.suspend {}
        indicator.setVisible(false)
        #expect(device.takeWritten().isEmpty != draws && (scheduler.timerCount == 0) != draws)
    }

    @Test func erasingIsTriedAgainSoonWithAnyInterval() {
        let indicator = indicator(style: .init(frames: ["*"], interval: .seconds(60)))
        indicator.setVisible(true)
        device.change { $0.outcome = .busy }
        indicator.setVisible(false)
        #expect(device.rows == [" * Label"])
        device.change { ($0.outcome, $0.room) = (.written, 10) }
        #expect(rows(after: 100) == [] && rows(after: 100) == [] && scheduler.timerCount == 0)
    }

    @Test func nothingIsWrittenToALostTerminal() {
        let indicator = indicator()
        indicator.setVisible(true)
        device.change { $0.outcome = .failed }
        scheduler.advance(by: .milliseconds(100))
        #expect(scheduler.timerCount == 0)
        device.change { $0.outcome = .written }
        indicator.setVisible(false)
        indicator.setVisible(true)
        scheduler.advance(by: .seconds(1))
        indicator.suspend {}
        #expect(device.takeWritten().count == 1 && scheduler.timerCount == 0)
    }

    @Test func anErasureClearsTheProgressBarToo() {
        let indicator = indicator(style: .init(progress: .always))
        indicator.setVisible(true)
        indicator.erase()
        #expect(device.rows == [] && device.emulator.progress == ["3;0", "0;0"])
        _ = device.takeWritten()
        indicator.erase()
        indicator.redraw()
        #expect(device.takeWritten() == [])
        #expect(rows(after: 100)[0].hasSuffix(" Label") && device.emulator.progress.last == "3;0")
        indicator.setVisible(false)
    }

    // MARK: Several indicators

    @Test func theOneShownLastDraws() {
        let first = indicator(style: .init(frames: ["1"]))
        let second = indicator(style: .init(frames: ["2"], progress: .always))
        first.setVisible(true)
        #expect(device.rows == [" 1 Label"])
        second.setVisible(true)
        #expect(rows(after: 100) == [" 2 Label"] && device.emulator.progress == ["3;0"])
        first.redraw()
        #expect(device.rows == [" 2 Label"])
        second.setVisible(false)
        #expect(device.rows == [] && device.emulator.progress == ["3;0", "0;0"])
        #expect(rows(after: 100) == [" 1 Label"])
        second.setVisible(true)
        first.setVisible(false)
        #expect(rows(after: 100) == [" 2 Label"])
        second.setVisible(false)
        #expect(device.rows == [] && scheduler.timerCount == 0)
    }

    // MARK: Plain lines

    private func plainIndicator(idleRow: (@MainActor @Sendable () -> TerminalIndicator.Row?)? = nil)
        -> TerminalIndicator
    {
        indicator(style: .init(animation: .never, writesPlainLines: true), idleRow: idleRow)
    }

    private func takeLines() -> [String] {
        screen.waitForLog()
        return device.takeWritten().map { String($0.dropLast()) }
    }

    @Test func aLineIsWrittenEvery30Seconds() {
        row.withLock { $0 = "\u{1B}[1mFetching\r0 of 3\n" }
        let indicator = plainIndicator()
        indicator.setVisible(true)
        indicator.suspend {}
        #expect(takeLines() == ["Fetching 0 of 3 ..."])
        scheduler.advance(by: .seconds(29))
        #expect(takeLines() == [])
        row.withLock { $0 = "Fetching 1 of 3" }
        scheduler.advance(by: .seconds(1))
        #expect(takeLines() == ["Fetching 1 of 3 ..."])
        row.withLock { $0 = "Fetching 3 of 3" }
        indicator.setVisible(false)
        indicator.suspend {}
        #expect(takeLines() == ["Fetching 3 of 3"] && scheduler.timerCount == 0)
    }

    /// A program that completes its work says so itself, so 100 % isn't reported. A wait isn't the end.
    @Test func aLineIsWrittenEveryTenPercent() {
        let isWaiting = Lock(false)
        let indicator = plainIndicator(idleRow: { isWaiting.withLock { $0 } ? "waiting" : nil })
        func set(_ percent: Int) {
            row.withLock {
                $0 = .init("\(percent / 50)/2 files", fraction: Double(percent) / 100, amount: "1 MB", rate: "")
            }
        }
        set(0)
        indicator.setVisible(true)
        for percent in [9, 10, 19, 45, 49, 70, 100] {
            set(percent)
            if percent == 49 {
                isWaiting.withLock { $0 = true }
                indicator.setVisible(false)
                scheduler.advance(by: .seconds(20))
                isWaiting.withLock { $0 = false }
                indicator.setVisible(true)
            }
            scheduler.advance(by: .seconds(1))
        }
        indicator.setVisible(false)
        let lines = [(10, 0), (45, 0), (70, 1)].map { "\($0.1)/2 files: \($0.0) %, 1 MB" }
        #expect(takeLines() == ["0/2 files ..."] + lines && scheduler.timerCount == 0)
    }

    @Test func plainLinesAreWrittenAboveAnotherIndicator() {
        let spinner = indicator()
        spinner.setVisible(true)
        let plain = plainIndicator()
        plain.setVisible(true)
        screen.waitForLog()
        #expect(device.rows == ["Label ...", " * Label"])
        _ = device.takeWritten()
        device.change { $0.conditions.isForeground = false }
        row.withLock { $0 = "Other" }
        plain.setVisible(false)
        plain.suspend {}
        #expect(takeLines() == [])
    }
}
