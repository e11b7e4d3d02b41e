import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorTestKit
import Testing

@MainActor @Suite
struct TerminalIndicatorTests {
    private let device = RecordingDevice()
    private let screen: TerminalScreen
    private let scheduler = ManualScheduler()

    init() { screen = TerminalScreen(device: device) }

    private func indicator(
        _ environment: [String: String] = [:], frames: [String] = ["a", "b", "c"],
        interval: Duration = .milliseconds(100), animation: TerminalIndicator.Mode = .automatic,
        color: TerminalIndicator.Mode = .never, progress: TerminalIndicator.Mode = .automatic,
        idleText: (@MainActor @Sendable () -> String?)? = nil,
        details: (@MainActor @Sendable () -> [String])? = nil,
        label: @escaping @Sendable () -> String = { "Label" }
    ) -> TerminalIndicator {
        let base = ["TERM": "xterm", "LANG": "en_US.UTF-8"]
        return TerminalIndicator(
            style: .init(
                frames: frames, interval: interval, animation: animation, color: color, progress: progress),
            { .init(label(), details: details?() ?? []) }, idleText: idleText,
            environment: TerminalEnvironment(base.merging(environment) { $1 }), screen: screen, scheduler: scheduler)
    }

    private func frame(_ glyph: String, _ label: String = "Label") -> String {
        NetworkIndicatorTerminalTests.frame(of: " \(glyph) \(label)")
    }

    private func picture(_ glyph: String) -> String { "\r \(glyph)\r" }

    // MARK: Frames

    @Test func drawsAtOnceThenAtEachIntervalAndErasesItself() {
        let indicator = indicator()
        #expect(scheduler.timerCount == 0)
        indicator.setVisible(true)
        #expect(device.takeWritten() == [frame("a")])
        scheduler.advance(by: .milliseconds(99))
        #expect(device.takeWritten() == [])
        scheduler.advance(by: .milliseconds(1))
        #expect(device.takeWritten() == [picture("b")])
        scheduler.advance(by: .milliseconds(250))
        #expect(device.takeWritten() == [picture("c"), picture("a")])
        indicator.setVisible(false)
        #expect(device.takeWritten() == [erasure])
        #expect(scheduler.timerCount == 0)
        indicator.setVisible(false)
        scheduler.advance(by: .seconds(10))
        #expect(device.takeWritten() == [])
    }

    @Test func anUpdateThatIsRequestedDuringTheDrawingIsNotLost() {
        let (device, label) = (StallingDevice(), Lock("first"))
        let indicator = TerminalIndicator(
            style: .init(frames: ["a"], color: .never), { .init(label.withLock { $0 }) },
            environment: TerminalEnvironment(["TERM": "xterm", "LANG": "en_US.UTF-8"]),
            screen: TerminalScreen(device: device), scheduler: scheduler)
        indicator.setVisible(true)
        label.withLock { $0 = "second" }
        device.stallNext(.frame) {
            label.withLock { $0 = "third" }
            indicator.requestUpdate()
        }
        indicator.requestUpdate()
        scheduler.advance(by: .zero)
        #expect(device.memory.takeWritten() == [frame("a", "first"), frame("a", "second"), frame("a", "third")])
    }

    @Test(arguments: [
        (Duration.zero, 50), (.milliseconds(-5), 50), (.milliseconds(20), 50), (.milliseconds(250), 4),
        (.seconds(1), 1), (.seconds(Int64.max), 1),
    ])
    func intervalsAreClamped(interval: Duration, count: Int) {
        let indicator = indicator(interval: interval)
        indicator.setVisible(true)
        _ = device.takeWritten()
        scheduler.advance(by: .seconds(1))
        #expect(device.takeWritten().count == count)
        indicator.setVisible(false)
    }

    @Test func theLabelIsCalledTwiceASecondOutsideTheLocks() {
        let count = Lock(0)
        let own = Lock<TerminalIndicator?>(nil)
        let indicator = indicator(label: {
            own.withLock { $0 }?.print("asked")  // deadlocks if the indicator calls `label` while it holds a lock
            return count.withLock { count in
                count += 1
                return "\(count)"
            }
        })
        own.withLock { $0 = indicator }
        indicator.setVisible(true)
        #expect(device.takeWritten() == ["asked\n", frame("a", "1")])
        scheduler.advance(by: .milliseconds(499))
        #expect(device.takeWritten() == ["b", "c", "a", "b"].map(picture))
        scheduler.advance(by: .milliseconds(1))
        #expect(device.takeWritten() == [update("asked", frame("b", "1")), frame("c", "2")])
        indicator.setVisible(false)
        #expect(count.withLock { $0 } == 2)
        own.withLock { $0 = nil }
    }

    @Test func aLabelMaySwitchItsIndicatorOff() {
        let own = Lock<TerminalIndicator?>(nil)
        let indicator = indicator(label: {
            MainActor.assumeIsolated { own.withLock { $0 }?.setVisible(false) }
            return "Label"
        })
        indicator.setVisible(true)
        own.withLock { $0 = indicator }
        _ = device.takeWritten()
        scheduler.advance(by: .milliseconds(500))
        #expect(device.takeWritten().last == erasure)
        #expect(scheduler.timerCount == 0)
        own.withLock { $0 = nil }
    }

    // MARK: Conditions

    @Test func nothingIsDrawnWithoutATerminal() {
        device.change { $0.isTerminal = false }
        for mode in [TerminalIndicator.Mode.automatic, .always, .never] {
            let indicator = indicator(
                ["FORCE_COLOR": "1"], animation: mode, color: .always, progress: .always, idleText: { "waiting" })
            indicator.setVisible(true)
            scheduler.advance(by: .seconds(1))
            indicator.suspend {}
            indicator.setVisible(false)
        }
        #expect(device.takeWritten() == [])
        #expect(scheduler.timerCount == 0)
    }

    @Test func theModeOverridesTheEnvironment() {
        let always = indicator(["CI": "1"], animation: .always)
        always.setVisible(true)
        #expect(device.takeWritten() == [frame("a")])
        always.setVisible(false)
        _ = device.takeWritten()
        let never = indicator(animation: .never)
        never.setVisible(true)
        never.setVisible(false)
        #expect(device.takeWritten() == [])
    }

    @Test func nothingIsDrawnInTheBackground() {
        let indicator = indicator()
        device.change { $0.conditions.isForeground = false }
        indicator.setVisible(true)
        scheduler.advance(by: .milliseconds(100))
        indicator.print("text")
        indicator.suspend {}
        #expect(device.takeWritten() == ["text\n"])
        device.change { $0.conditions.isForeground = true }
        scheduler.advance(by: .milliseconds(100))
        #expect(device.takeWritten() == [frame("b")])
        device.change { $0.conditions.isForeground = false }
        indicator.setVisible(false)
        #expect(device.takeWritten() == [])
        #expect(scheduler.timerCount == 0)
    }

    @Test func erasingIsTriedAgainSoonWithAnyInterval() {
        let indicator = indicator(interval: .seconds(60))
        indicator.setVisible(true)
        device.change { $0.outcome = .busy }
        indicator.setVisible(false)
        device.change { $0.outcome = .written }
        scheduler.advance(by: .milliseconds(100))
        #expect(device.takeWritten() == [frame("a"), erasure])
        #expect(scheduler.timerCount == 0)
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
        #expect(device.takeWritten() == [frame("a")])
        #expect(scheduler.timerCount == 0)
    }

    @Test func aFrameThatHasBegunIsFinished() {
        let indicator = indicator()
        device.change { $0.room = 5 }
        indicator.setVisible(true)
        #expect(device.takeWritten() == [String(frame("a").prefix(5))])
        device.change { $0.outcome = .busy }
        scheduler.advance(by: .milliseconds(100))
        device.change { ($0.outcome, $0.room) = (.written, .max) }
        scheduler.advance(by: .milliseconds(100))
        #expect(device.takeWritten() == [String(frame("a").dropFirst(5)), picture("b")])
        device.change { $0.room = 10 }
        indicator.setVisible(false)
        #expect(scheduler.timerCount == 1)
        scheduler.advance(by: .milliseconds(100))
        #expect(device.takeWritten().joined() == erasureOnSlowTerminal)
        #expect(scheduler.timerCount == 0)
    }

    @Test func anErasureClearsTheProgressBarToo() {
        let indicator = indicator(progress: .always)
        indicator.setVisible(true)
        _ = device.takeWritten()
        indicator.erase()
        indicator.erase()
        #expect(device.takeWritten() == [erasure + TerminalProgress.clear])
        scheduler.advance(by: .milliseconds(100))
        #expect(device.takeWritten() == [frame("b") + TerminalProgress.sequence(percent: nil)])
        indicator.setVisible(false)
    }

    @Test(arguments: [false, true])
    func otherOutputUpdatesTheNumbersAtOnce(isSuspended: Bool) {
        let number = Lock(0)
        let indicator = indicator(details: { number.withLock { ["\($0) files"] } })
        indicator.setVisible(true)
        number.withLock { $0 = 1 }
        if isSuspended { indicator.suspend {} } else { indicator.print("a.txt: done") }
        scheduler.advance(by: .zero)
        #expect(device.takeWritten().last == frame("b", "Label  1 files"))
        number.withLock { $0 = 2 }
        scheduler.advance(by: .milliseconds(100))
        #expect(device.takeWritten() == [picture("c")])
        indicator.setVisible(false)
    }

    @Test func aRowBelowATextShowsTheProgressOfTheLastRedraw() {
        let number = Lock(0)
        let indicator = indicator(details: { number.withLock { ["\($0) files"] } })
        indicator.setVisible(true)
        number.withLock { $0 = 1 }
        indicator.redraw()
        _ = device.takeWritten()
        indicator.print("a.txt: done")
        #expect(device.takeWritten() == [update("a.txt: done", frame("b", "Label  1 files"))])
        indicator.setVisible(false)
    }

    // MARK: Several indicators

    @Test func theOneShownLastDraws() {
        let first = indicator(frames: ["1"])
        let second = indicator(frames: ["2"], progress: .always)
        first.setVisible(true)
        second.setVisible(true)
        scheduler.advance(by: .milliseconds(100))
        let both = frame("2") + TerminalProgress.sequence(percent: nil)
        #expect(device.takeWritten() == [frame("1"), both, picture("2")])
        second.setVisible(false)
        #expect(device.takeWritten() == [erasure + TerminalProgress.clear])
        scheduler.advance(by: .milliseconds(100))
        #expect(device.takeWritten() == [frame("1")])
        second.setVisible(true)
        first.setVisible(false)
        scheduler.advance(by: .milliseconds(100))
        #expect(device.takeWritten() == [both, picture("2")])
        second.setVisible(false)
        #expect(device.takeWritten() == [erasure + TerminalProgress.clear])
        #expect(scheduler.timerCount == 0)
    }
}
