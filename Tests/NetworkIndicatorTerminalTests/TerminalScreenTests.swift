import NetworkIndicatorTerminal
import Testing

/// Other output, the window's width, and the terminal's progress bar.
@Suite struct TerminalScreenTests {
    private let device = RecordingDevice()
    private let screen: TerminalScreen
    private let owner = Owner()
    private let begin = SuspendingClock().now

    private final class Owner {}

    private let erasure = "\r\u{1B}[J\u{1B}[?7h\u{1B}[?25h"
    private let start = TerminalProgress.State.indeterminate.sequence

    private func frame(_ label: String, clearing: String = "K") -> String {
        "\u{1B}[?25l\u{1B}[?7l\r*\(label.isEmpty ? "" : " ")\(label)\u{1B}[\(clearing)\r\u{1B}[?7h"
    }

    private struct Failure: Error {}

    init() {
        screen = TerminalScreen(device: device)
        screen.show(ObjectIdentifier(owner))
    }

    @discardableResult
    private func draw(
        _ label: String = "Label", progress: TerminalProgress = .none, at seconds: Int = 0
    ) -> [String] {
        let line = TerminalLine(
            glyph: "*", label: label, style: TerminalStyle(usesColor: false, isUTF8: true), progress: progress)
        _ = screen.draw(line, by: ObjectIdentifier(owner), at: begin.advanced(by: .seconds(seconds)))
        return device.takeWritten()
    }

    // MARK: Other output

    @Test func printsAboveTheLine() {
        screen.print("before")
        draw()
        screen.print("during")
        _ = screen.hide(ObjectIdentifier(owner))
        screen.print("after")
        #expect(
            device.takeWritten() == [
                erasure, "during\n", frame("Label"), erasure, "after\n",
            ])
    }

    @Test func suspendsAndDrawsTheSameLineAgain() {
        draw()
        let result = screen.suspend {
            #expect(device.takeWritten() == [erasure])
            #expect(draw("Other") == [])
            screen.suspend { screen.print("inside") }
            #expect(device.takeWritten() == ["inside\n"])
            return 7
        }
        #expect(result == 7)
        #expect(device.takeWritten() == [frame("Other")])
    }

    @Test func whatCouldNotBeErasedIsErasedByTheNextText() {
        draw()
        device.change { $0.outcome = .busy }
        #expect(!screen.hide(ObjectIdentifier(owner)))
        device.change { $0.outcome = .written }
        screen.print("text")
        #expect(device.takeWritten() == [erasure, "text\n"])
        #expect(screen.hide(ObjectIdentifier(owner)))
        #expect(device.takeWritten() == [])
    }

    @Test func aFailureEndsTheSuspension() throws {
        draw()
        #expect(throws: Failure.self) { try screen.suspend { () throws(Failure) in throw Failure() } }
        #expect(device.takeWritten() == [erasure, frame("Label")])
    }

    @Test func hiddenWhileSuspendedItStaysHidden() {
        draw()
        screen.suspend { _ = screen.hide(ObjectIdentifier(owner)) }
        #expect(device.takeWritten() == [erasure])
        screen.suspend {}
        #expect(device.takeWritten() == [])
    }

    // MARK: The window

    @Test func theWidthIsReadForEachFrame() {
        #expect(draw("0123456789") == [frame("0123456789")])
        device.change { $0.conditions.columns = 12 }
        #expect(draw("0123456789") == [frame("01234567…", clearing: "J")])
        device.change { $0.conditions.columns = 9 }
        // The terminal has wrapped what was drawn last, and the rest stands below.
        #expect(draw("0123456789") == [frame("", clearing: "J")])
        #expect(draw("0123456789") == [frame("")])
        device.change { $0.conditions.columns = 0 }
        #expect(draw("0123456789") == [frame("0123456789", clearing: "J")])
    }

    @Test func aWrappedLineIsErasedWhole() {
        draw("0123456789")
        device.change { $0.conditions.columns = 11 }
        screen.print("text")
        #expect(device.takeWritten() == [erasure, "text\n", frame("0123456…")])
        device.change { $0.conditions.columns = 9 }
        _ = screen.hide(ObjectIdentifier(owner))
        #expect(device.takeWritten() == [erasure])
    }

    // MARK: The progress bar

    @Test func aTransitionIsToldOnce() {
        for second in 0...40 {
            let expected = second == 0 ? start : ""
            #expect(draw(progress: .transitions, at: second) == [frame("Label") + expected])
        }
        screen.suspend {}
        screen.print("text")
        #expect(!device.takeWritten().joined().contains("]9;"))
        _ = screen.hide(ObjectIdentifier(owner))
        #expect(device.takeWritten() == [erasure + TerminalProgress.clear])
    }

    @Test func ghosttyIsToldEveryTenSeconds() {
        let told = (0...25).filter {
            draw(progress: .repeated, at: $0) == [frame("Label") + start]
        }
        #expect(told == [0, 10, 20])
    }

    @Test func whatTheTerminalDidNotTakeIsToldAgain() {
        device.change { $0.outcome = .busy }
        draw(progress: .transitions)
        device.change { $0.outcome = .written }
        #expect(draw(progress: .transitions).joined().contains(start))
        device.change { $0.outcome = .busy }
        #expect(!screen.hide(ObjectIdentifier(owner)))
        device.change { $0.outcome = .written }
        #expect(screen.hide(ObjectIdentifier(owner)))
        #expect(device.takeWritten() == [erasure + TerminalProgress.clear])
    }
}
