import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorTestKit
import Testing

@MainActor @Suite
struct TerminalPictureTests {
    private let device = RecordingDevice()
    private let screen: TerminalScreen
    private let scheduler = ManualScheduler()
    private let owner = Owner()

    private final class Owner {}

    init() { screen = TerminalScreen(device: device) }

    private func indicator(
        frames: [String], idleText: (@MainActor @Sendable () -> String?)? = nil,
        startTimer: TerminalIndicator.StartTimer? = nil
    ) -> TerminalIndicator {
        TerminalIndicator(
            style: .init(frames: frames, color: .never), { "Label" }, idleText: idleText,
            environment: TerminalEnvironment(["TERM": "xterm", "LANG": "en_US.UTF-8"]), screen: screen,
            scheduler: scheduler, startTimer: startTimer ?? scheduler.startTimer)
    }

    private func frame(_ picture: String) -> String { NetworkIndicatorTerminalTests.frame(of: " \(picture) Label") }

    private func picture(_ text: String) -> String { "\r \(text)\r" }

    @Test func theSpinnerStopsWhileTheMainActorIsBlocked() {
        let ticks = Lock<[@Sendable () -> Void]>([])
        let indicator = indicator(
            frames: ["a", "b"],
            startTimer: { [scheduler] interval, tick in
                ticks.withLock { $0.append(tick) }
                return scheduler.schedule(at: scheduler.now.advanced(by: interval), repeatingEvery: interval) {}
            })
        func tick() { for tick in ticks.withLock({ $0 }) { tick() } }
        indicator.setVisible(true)
        _ = device.takeWritten()
        for _ in 0..<20 { tick() }
        #expect(device.takeWritten().count == 4)
        scheduler.advance(by: .zero)
        tick()
        #expect(device.takeWritten().count == 2)
        indicator.setVisible(false)
        _ = device.takeWritten()
        tick()
        scheduler.advance(by: .zero)
        #expect(device.takeWritten() == [])
    }

    @Test func aNewIdleTextStartsNoTimer() {
        let (count, number) = (Lock(0), Lock<Int?>(0))
        let indicator = indicator(
            frames: ["a", "b"], idleText: { number.withLock { $0 }.map { "\($0) waiting" } },
            startTimer: { [scheduler] interval, tick in
                count.withLock { $0 += 1 }
                return scheduler.schedule(at: scheduler.now.advanced(by: interval), repeatingEvery: interval) { tick() }
            })
        for next in 1...100 {
            number.withLock { $0 = next }
            indicator.redraw()
        }
        #expect(count.withLock { $0 } == 1)
        #expect(device.takeWritten().last == NetworkIndicatorTerminalTests.frame(of: " 100 waiting"))
        number.withLock { $0 = nil }
        indicator.redraw()
        #expect(scheduler.timerCount == 0)
    }

    @Test func picturesHaveTheSameWidth() {
        let indicator = indicator(frames: ["a", "bb"])
        indicator.setVisible(true)
        scheduler.advance(by: .milliseconds(100))
        #expect(device.takeWritten() == [frame("a "), picture("bb")])
        indicator.setVisible(false)
    }

    @Test func picturesThatDoNotFitAreNotDrawn() {
        device.change { $0.conditions.columns = 5 }
        let indicator = indicator(frames: ["12345", "67890"])
        indicator.setVisible(true)
        scheduler.advance(by: .milliseconds(400))
        #expect(device.takeWritten() == ["\u{1B}[?7l\r \u{1B}[K\r\u{1B}[?7h"])
        scheduler.advance(by: .milliseconds(100))
        #expect(device.takeWritten().count == 1)
        indicator.setVisible(false)
    }

    @Test func onlyThePictureChangesWhileTheRowStays() {
        let block = TerminalBlock(["a", "b", "c"], "Label", colors: TerminalColors(usesColor: false, isUTF8: true))
        let owner = ObjectIdentifier(self.owner)
        screen.show(owner)
        func isAdvanced() -> Bool { screen.advance(by: owner) }
        #expect(!isAdvanced())
        _ = screen.draw(block, by: owner, at: scheduler.now, pictures: 2)
        #expect(isAdvanced() && isAdvanced() && !isAdvanced())
        #expect(device.takeWritten() == [frame("a"), "\r b\r", "\r c\r"])
        _ = screen.draw(block, by: owner, at: scheduler.now, pictures: .max)
        screen.suspend {
            _ = device.takeWritten()
            #expect(isAdvanced())
            #expect(device.takeWritten() == [])
        }
        #expect(device.takeWritten() == [frame("a")])
        for change: (inout TerminalConditions) -> Void in [
            { $0.typedBytes = 1 }, { $0.columns = 79 }, { $0.rows = 7 },
        ] {
            device.change { change(&$0.conditions) }
            #expect(!isAdvanced())
            _ = screen.draw(block, by: owner, at: scheduler.now, pictures: .max)
            #expect(isAdvanced())
        }
        _ = device.takeWritten()
        device.change { $0.conditions.isForeground = false }
        #expect(isAdvanced())
        device.change { $0.conditions.isForeground = true }
        #expect(!isAdvanced())
        #expect(device.takeWritten() == [])
    }

    @Test func aPictureThatArrivesInPartsIsFinished() {
        let block = TerminalBlock(["a", "b"], "Label", colors: TerminalColors(usesColor: false, isUTF8: true))
        let owner = ObjectIdentifier(self.owner)
        screen.show(owner)
        _ = screen.draw(block, by: owner, at: scheduler.now, pictures: .max)
        _ = device.takeWritten()
        device.change { $0.outcome = .busy }
        #expect(screen.advance(by: owner))
        device.change { ($0.outcome, $0.room) = (.written, 3) }
        #expect(screen.advance(by: owner))
        device.change { $0.room = .max }
        #expect(screen.advance(by: owner))
        #expect(device.takeWritten() == ["\r a", "\r", "\r b\r"])
    }
}
