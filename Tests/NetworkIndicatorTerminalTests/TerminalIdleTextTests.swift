import NetworkIndicator
import NetworkIndicatorTestKit
import Observation
import Testing

@testable import NetworkIndicatorTerminal

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
        TerminalIndicator(
            style: .init(frames: ["*"], interval: .milliseconds(500)), environment: environment, screen: screen,
            scheduler: scheduler, idleText: read ?? { [idleText] in idleText.withLock { $0 } }
        ) { "Label" }
    }

    private func setIdleText(_ text: String?) { idleText.withLock { $0 = text } }

    private func rows(after time: Duration) -> [String] {
        scheduler.advance(by: time)
        return device.rows
    }

    @Test func theIdleTextIsShownWhileTheIndicatorIsOff() {
        let indicator = indicator(["WT_SESSION": "0c0"])
        indicator.setVisible(false)
        #expect(scheduler.timerCount == 0)
        setIdleText("⏸ 2 waiting, next in 3 s")
        indicator.redraw()
        #expect(device.rows == [" ⏸ 2 waiting, next in 3 s"])
        setIdleText("⏸ 2 waiting, next in 2 s")
        #expect(rows(after: .milliseconds(999)) == [" ⏸ 2 waiting, next in 3 s"])
        #expect(rows(after: .milliseconds(1)) == [" ⏸ 2 waiting, next in 2 s"])
        indicator.setVisible(true)
        #expect(device.rows == [" * Label"])
        setIdleText("⏸ 1 waiting")
        indicator.setVisible(false)
        #expect(device.rows == [" ⏸ 1 waiting"] && device.emulator.progress == ["3;0", "0;0"])
        indicator.print("text")
        #expect(device.rows == ["text", " ⏸ 1 waiting"])
        setIdleText(nil)
        #expect(rows(after: .seconds(1)) == ["text"] && scheduler.timerCount == 0)
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

    @Test func theIdleTextIsDrawnAgainEachSecondByOneTimer() {
        let indicator = indicator()
        setIdleText("⏸ 2 waiting")
        for _ in 0..<100 { indicator.redraw() }
        #expect(scheduler.timerCount == 1)
        _ = device.takeWritten()
        device.change { $0.conditions.isForeground = false }
        scheduler.advance(by: .seconds(1))
        #expect(device.takeWritten() == [])
        device.change { $0.conditions.isForeground = true }
        #expect(rows(after: .seconds(1)) == [" ⏸ 2 waiting"] && device.takeWritten().count == 1)
        setIdleText(nil)
        indicator.redraw()
        #expect(device.rows == [] && scheduler.timerCount == 0)
    }

    @Test func anotherIndicatorThatIsOnDraws() {
        let waiting = indicator()
        let working = indicator { "⏸ 1 waiting" }
        working.setVisible(true)
        setIdleText("⏸ 2 waiting")
        waiting.redraw()
        #expect(rows(after: .milliseconds(900)) == [" * Label"])
        working.setVisible(false)
        for _ in 0..<5 { #expect(rows(after: .milliseconds(500)) == [" ⏸ 1 waiting"]) }
        working.didDetach()
        #expect(rows(after: .seconds(1)) == [" ⏸ 2 waiting"])
        waiting.didDetach()
        #expect(device.rows == [] && scheduler.timerCount == 0)
    }

    // MARK: The manager

    @Test(arguments: ["detach", "release"]) func theTextEndsWithTheAttachment(how: String) {
        weak var released: TerminalIndicator?
        do {
            var manager: NetworkIndicatorManager? = NetworkIndicatorManager(
                configuration: .immediate, scheduler: scheduler)
            let indicator = indicator { "offline" }
            released = indicator
            let attachment = manager?.attach(indicator)
            #expect(rows(after: .seconds(1)) == [" offline"])
            if how == "detach" { attachment?.detach() } else { manager = nil }
            #expect(rows(after: .zero) == [] && scheduler.timerCount == 0)
            indicator.redraw()
            #expect(device.rows == [])
            manager = manager ?? NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
            let again = manager?.attach(indicator)
            #expect(rows(after: .seconds(1)) == [" offline"])
            again?.detach()
            scheduler.advance(by: .zero)
        }
        scheduler.advance(by: .seconds(1))
        #expect(released == nil && device.rows == [])
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
        for text in ["offline", "offline, waiting"] {
            model.text = text
            #expect(rows(after: .zero) == [" " + text])
        }
        scheduler.advance(by: .seconds(60))
        let count = calls.withLock { $0 }
        model.text = nil
        #expect(rows(after: .zero) == [])
        #expect(calls.withLock { $0 } == count + 1, "the calls in between haven't observed the model, too")
        indicator.setVisible(true)
        model.text = "offline"
        #expect(rows(after: .zero) == [" * Label"] && calls.withLock { $0 } == count + 1)
        indicator.setVisible(false)
        #expect(device.rows == [" offline"])
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
        #expect(rows(after: .zero) == [" offline"])
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
        #expect(rows(after: .zero) == [" * Label"])
        #expect(model.count == 2 && !scheduler.hasWork)
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
        #expect(rows(after: .zero) == [])
    }
}
