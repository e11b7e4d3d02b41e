import NetworkIndicator
import NetworkIndicatorTestKit
import Observation
import TestSupport
import Testing

@testable import NetworkIndicatorTerminal

extension TerminalIndicatorTests {
    @Test func theIdleRowIsShownWhileTheIndicatorIsOff() {
        let idleRow = Lock<TerminalIndicator.Row?>(nil)
        let style = TerminalIndicator.Style(frames: ["*"], progress: .always)
        let indicator = indicator(style: style, idleRow: { idleRow.withLock { $0 } })
        indicator.setVisible(false)
        #expect(scheduler.timerCount == 0)
        idleRow.withLock { $0 = "2 waiting, next in 3 s" }
        for _ in 0..<100 { indicator.redraw() }
        #expect(scheduler.timerCount == 1 && device.rows == [" ⏸ 2 waiting, next in 3 s"])
        idleRow.withLock { $0 = "2 waiting, next in 2 s" }
        #expect(rows(after: 999) == [" ⏸ 2 waiting, next in 3 s"])
        #expect(rows(after: 1) == [" ⏸ 2 waiting, next in 2 s"])
        indicator.setVisible(true)
        #expect(device.rows == [" * Label"])
        idleRow.withLock { $0 = "1 waiting" }
        indicator.setVisible(false)
        #expect(device.rows == [" ⏸ 1 waiting"] && device.emulator.progress == ["3;0", "0;0"])
        device.change { $0.conditions.isForeground = false }
        _ = device.takeWritten()
        #expect(rows(after: 1000).count == 1 && device.takeWritten() == [])
        device.change { $0.conditions.isForeground = true }
        scheduler.advance(by: .seconds(1))
        #expect(device.takeWritten().count == 1)
        indicator.print("text")
        #expect(device.rows == ["text", " ⏸ 1 waiting"])
        idleRow.withLock { $0 = nil }
        #expect(rows(after: 1000) == ["text"] && scheduler.timerCount == 0)
    }

    /// Only the picture and the texts change. The bar keeps its place.
    @Test func theBlockStaysDuringAWait() {
        let wait = Lock<String?>(nil)
        @Sendable func row() -> TerminalIndicator.Row {
            .init("1/3", fraction: 0.5, time: wait.withLock { $0 } ?? "9 s left")
        }
        let indicator = indicator {
            row()
        } rows: {
            [row(), row()]
        } idleRow: {
            wait.withLock { $0 } == nil ? nil : row()
        }
        indicator.setVisible(true)
        let before = device.rows
        wait.withLock { $0 = "waiting, 8 s" }
        indicator.setVisible(false)
        let waiting = before.map { $0.replacing("*", with: "⏸").replacing("    9 s left", with: "waiting, 8 s") }
        #expect(device.rows == waiting && before.count == 3)
        wait.withLock { $0 = nil }
        indicator.setVisible(true)
        #expect(device.rows == before)
        indicator.setVisible(false)
        #expect(device.rows == [])
    }

    @Test(arguments: [false, true]) func aLostTerminalNeedsNoTimer(isVisible: Bool) {
        let indicator = indicator(idleRow: { "offline" })
        indicator.setVisible(isVisible)
        #expect(scheduler.timerCount == 1)
        device.change { $0.isTerminal = false }
        indicator.setVisible(false)
        scheduler.advance(by: .seconds(1))
        #expect(scheduler.timerCount == 0)
    }

    @Test func anotherIndicatorThatIsOnDraws() {
        let waiting = indicator(idleRow: { "2 waiting" })
        let working = indicator(idleRow: { "1 waiting" })
        working.setVisible(true)
        waiting.redraw()
        #expect(rows(after: 900) == [" * Label"])
        working.setVisible(false)
        for _ in 0..<5 { #expect(rows(after: 500) == [" ⏸ 1 waiting"]) }
        working.didDetach()
        #expect(rows(after: 1000) == [" ⏸ 2 waiting"])
        waiting.didDetach()
        #expect(device.rows == [] && scheduler.timerCount == 0)
    }

    // MARK: The manager

    @Test(arguments: ["detach", "release"]) func theRowEndsWithTheAttachment(how: String) {
        weak var released: TerminalIndicator?
        do {
            var manager: NetworkIndicatorManager? = NetworkIndicatorManager(
                configuration: .immediate, scheduler: scheduler)
            let indicator = indicator(idleRow: { "offline" })
            released = indicator
            let attachment = manager?.attach(indicator)
            #expect(rows(after: 1000) == [" ⏸ offline"])
            if how == "detach" { attachment?.detach() } else { manager = nil }
            #expect(rows(after: 0) == [] && scheduler.timerCount == 0)
            indicator.redraw()
            #expect(device.rows == [])
            manager = manager ?? NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
            let again = manager?.attach(indicator)
            #expect(rows(after: 1000) == [" ⏸ offline"])
            again?.detach()
            scheduler.advance(by: .zero)
        }
        scheduler.advance(by: .seconds(1))
        #expect(released == nil && device.rows == [])
    }

    // MARK: Observation

    @Observable @MainActor
    final class Model {
        var text: TerminalIndicator.Row?
        var count = 0
    }

    @Test func aChangeShowsTheIdleRowBeforeTheFirstTask() {
        let (model, calls) = (Model(), Lock(0))
        let indicator = indicator(idleRow: {
            calls.withLock { $0 += 1 }
            return model.text
        })
        indicator.setVisible(false)
        #expect(scheduler.timerCount == 0)
        for text in ["offline", "offline, waiting"] {
            model.text = .init(text)
            #expect(rows(after: 0) == [" ⏸ " + text])
        }
        scheduler.advance(by: .seconds(60))
        let count = calls.withLock { $0 }
        model.text = nil
        #expect(rows(after: 0) == [])
        #expect(calls.withLock { $0 } == count + 1, "the calls in between haven't observed the model, too")
        indicator.setVisible(true)
        model.text = "offline"
        #expect(rows(after: 0) == [" * Label"] && calls.withLock { $0 } == count + 1)
        indicator.setVisible(false)
        #expect(device.rows == [" ⏸ offline"])
        model.text = nil
        scheduler.advance(by: .zero)
        #expect(scheduler.timerCount == 0 && !scheduler.hasWork)
    }

    @Test func anIdleRowMayChangeTheModelAndTheIndicator() {
        let (model, own) = (Model(), Lock<TerminalIndicator?>(nil))
        let indicator = indicator(idleRow: {
            model.count += 1
            if model.text == "on" { own.withLock { $0 }?.setVisible(true) }
            return model.text
        })
        own.withLock { $0 = indicator }
        indicator.setVisible(false)
        model.text = "on"
        #expect(rows(after: 0) == [" * Label"])
        #expect(model.count == 2 && !scheduler.hasWork)
        _ = device.takeWritten()
        #expect(rows(after: 100) == [" * Label"] && device.takeWritten().count == 1, "as often as a spinner")
        own.withLock { $0 = nil }
        model.text = nil
        indicator.setVisible(false)
        #expect(scheduler.timerCount == 0)
    }

    @Test func theModelDoesNotKeepTheIndicator() {
        let model = Model()
        weak var released: TerminalIndicator?
        do {
            let indicator = indicator(idleRow: { model.text })
            indicator.setVisible(false)
            released = indicator
        }
        #expect(released == nil)
        model.text = "offline"
        #expect(rows(after: 0) == [])
    }
}
