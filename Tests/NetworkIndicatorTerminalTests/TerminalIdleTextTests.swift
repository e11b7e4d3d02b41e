import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorTestKit
import Observation
import Testing

@MainActor @Suite
struct TerminalIdleTextTests {
    private let device = RecordingDevice()
    private let screen: TerminalScreen
    private let scheduler = ManualScheduler()
    private let idleText = Lock<String?>(nil)

    init() { screen = TerminalScreen(device: device) }

    private func indicator(
        _ environment: [String: String] = [:], _ read: (@MainActor @Sendable () -> String?)? = nil
    ) -> TerminalIndicator {
        let base = ["TERM": "xterm", "LANG": "en_US.UTF-8", "NO_COLOR": "1"]
        return TerminalIndicator(
            style: .init(frames: ["*"], interval: .milliseconds(500)), { "Label" },
            idleText: read ?? { [idleText] in idleText.withLock { $0 } },
            environment: TerminalEnvironment(base.merging(environment) { $1 }), screen: screen, scheduler: scheduler)
    }

    private func stillFrame(_ text: String) -> String { frame(of: " \(text)") }

    private func setIdleText(_ text: String?) { idleText.withLock { $0 = text } }

    @Test func theIdleTextIsShownWhileTheIndicatorIsOff() {
        let indicator = indicator(["WT_SESSION": "0c0"])
        indicator.setVisible(false)
        #expect(scheduler.timerCount == 0)
        setIdleText("⏸ 2 waiting, next in 3 s")
        indicator.redraw()
        #expect(device.takeWritten() == [stillFrame("⏸ 2 waiting, next in 3 s")])
        setIdleText("⏸ 2 waiting, next in 2 s")
        scheduler.advance(by: .milliseconds(999))
        #expect(device.takeWritten() == [])
        scheduler.advance(by: .milliseconds(1))
        #expect(device.takeWritten() == [stillFrame("⏸ 2 waiting, next in 2 s")])
        indicator.setVisible(true)
        #expect(device.takeWritten().count == 1)
        setIdleText("⏸ 1 waiting")
        indicator.setVisible(false)
        #expect(device.takeWritten() == [stillFrame("⏸ 1 waiting") + "\u{1B}]9;4;0;0\u{1B}\\"])
        indicator.print("text")
        #expect(device.takeWritten() == [update("text", stillFrame("⏸ 1 waiting"))])
        setIdleText(nil)
        scheduler.advance(by: .seconds(1))
        #expect(device.takeWritten().last == erasure)
        #expect(scheduler.timerCount == 0)
    }

    @Test(arguments: [false, true]) func aLostTerminalNeedsNoTimer(isVisible: Bool) {
        let indicator = indicator()
        setIdleText("offline")
        indicator.setVisible(isVisible)
        #expect(scheduler.timerCount == 1)
        device.change { $0.isTerminal = false }
        indicator.setVisible(false)
        scheduler.advance(by: .seconds(1))
        #expect(scheduler.timerCount == 0)
    }

    @Test func anIdleTextThatIsSetBeforeTheFirstTaskIsShown() {
        let indicator = indicator()
        setIdleText("offline")
        indicator.setVisible(false)
        #expect(device.takeWritten() == [stillFrame("offline")])
        setIdleText(nil)
        scheduler.advance(by: .seconds(1))
        #expect(device.takeWritten() == [erasure])
        #expect(scheduler.timerCount == 0)
    }

    @Test func theIdleTextIsDrawnAgainEachSecond() {
        let indicator = indicator()
        setIdleText("⏸ 2 waiting")
        indicator.redraw()
        _ = device.takeWritten()
        device.change { $0.conditions.isForeground = false }
        scheduler.advance(by: .seconds(1))
        #expect(device.takeWritten() == [])
        device.change { $0.conditions.isForeground = true }
        scheduler.advance(by: .seconds(1))
        #expect(device.takeWritten() == [stillFrame("⏸ 2 waiting")])
        setIdleText(nil)
        indicator.redraw()
        #expect(scheduler.timerCount == 0)
    }

    @Test func anotherIndicatorThatIsOnDraws() {
        let waiting = indicator()
        let working = indicator()
        working.setVisible(true)
        _ = device.takeWritten()
        setIdleText("⏸ 2 waiting")
        waiting.redraw()
        setIdleText(nil)
        scheduler.advance(by: .milliseconds(400))
        #expect(device.takeWritten() == [])
        setIdleText("⏸ 2 waiting")
        working.setVisible(false)
        _ = device.takeWritten()
        scheduler.advance(by: .seconds(1))
        #expect(device.takeWritten().allSatisfy { $0 == stillFrame("⏸ 2 waiting") })
        setIdleText(nil)
        waiting.redraw()
        working.redraw()
        #expect(scheduler.timerCount == 0)
    }

    // MARK: Observation

    @Observable @MainActor
    final class Model {
        var text: String?
        var count = 0
    }

    @Test func aChangeShowsTheIdleTextBeforeTheFirstTask() {
        let (model, calls) = (Model(), Lock(0))
        let indicator = indicator {
            calls.withLock { $0 += 1 }
            return model.text
        }
        indicator.setVisible(false)
        #expect(scheduler.timerCount == 0)
        model.text = "offline"
        scheduler.advance(by: .zero)
        #expect(device.takeWritten() == [stillFrame("offline")])
        model.text = "offline, waiting"
        scheduler.advance(by: .zero)
        #expect(device.takeWritten() == [stillFrame("offline, waiting")])
        scheduler.advance(by: .seconds(60))
        _ = device.takeWritten()
        let count = calls.withLock { $0 }
        model.text = nil
        scheduler.advance(by: .zero)
        #expect(calls.withLock { $0 } == count + 1, "the calls in between haven't observed the model, too")
        #expect(device.takeWritten() == [erasure])
        indicator.setVisible(true)
        model.text = "offline"
        scheduler.advance(by: .zero)
        #expect(calls.withLock { $0 } == count + 1)
        indicator.setVisible(false)
        #expect(device.takeWritten().last == stillFrame("offline"))
        model.text = nil
        scheduler.advance(by: .zero)
        #expect(scheduler.timerCount == 0 && !scheduler.hasWork)
    }

    @Test func anIdleTextThatReadsTheModelLaterIsObserved() {
        let (model, isReading) = (Model(), Lock(false))
        let indicator = indicator { isReading.withLock { $0 } ? model.text : nil }
        indicator.setVisible(false)
        isReading.withLock { $0 = true }
        indicator.redraw()
        model.text = "offline"
        scheduler.advance(by: .zero)
        #expect(device.takeWritten() == [stillFrame("offline")])
        model.text = nil
        scheduler.advance(by: .zero)
    }

    @Test func anIdleTextMayChangeTheModelAndTheIndicator() {
        let (model, own) = (Model(), Lock<TerminalIndicator?>(nil))
        let indicator = indicator {
            model.count += 1
            if model.text == "on" { own.withLock { $0 }?.setVisible(true) }
            return model.text
        }
        own.withLock { $0 = indicator }
        indicator.setVisible(false)
        model.text = "on"
        scheduler.advance(by: .zero)
        #expect(model.count == 2 && !scheduler.hasWork)
        #expect(device.takeWritten().map { $0.contains("Label") } == [true])
        own.withLock { $0 = nil }
        model.text = nil
        indicator.setVisible(false)
        #expect(scheduler.timerCount == 0)
    }

    @Test func theModelDoesNotKeepTheIndicator() {
        let model = Model()
        weak var released: TerminalIndicator?
        do {
            let indicator = indicator { model.text }
            indicator.setVisible(false)
            released = indicator
        }
        #expect(released == nil)
        model.text = "offline"
        scheduler.advance(by: .zero)
        #expect(device.takeWritten() == [])
    }
}
