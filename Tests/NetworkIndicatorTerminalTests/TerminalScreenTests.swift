import NetworkIndicatorTerminal
import Testing

/// Other output, the window's width, and the terminal's progress bar.
@Suite struct TerminalScreenTests {
    private let device = RecordingDevice()
    private let screen: TerminalScreen
    private let owner = Owner()
    private let start = SuspendingClock().now

    private final class Owner {}

    private struct Failure: Error {}

    init() {
        screen = TerminalScreen(device: device)
        screen.show(ObjectIdentifier(owner))
    }

    @discardableResult
    private func draw(
        _ label: String = "Label", progress: TerminalProgress = .none, at seconds: Int = 0
    ) -> [String] {
        let line = TerminalLine(glyph: "*", label: label, isColored: false, isUTF8: true, progress: progress)
        _ = screen.draw(line, by: ObjectIdentifier(owner), at: start.advanced(by: .seconds(seconds)))
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
                "\r\u{1B}[K", "during\n", "\r* Label\u{1B}[K\r", "\r\u{1B}[K", "after\n",
            ])
    }

    @Test func suspendsAndDrawsTheSameLineAgain() {
        draw()
        let result = screen.suspend {
            #expect(device.takeWritten() == ["\r\u{1B}[K"])
            #expect(draw("Other") == [])
            screen.suspend { screen.print("inside") }
            #expect(device.takeWritten() == ["inside\n"])
            return 7
        }
        #expect(result == 7)
        #expect(device.takeWritten() == ["\r* Other\u{1B}[K\r"])
    }

    @Test func whatCouldNotBeErasedIsErasedByTheNextText() {
        draw()
        device.change { $0.outcome = .busy }
        #expect(!screen.hide(ObjectIdentifier(owner)))
        device.change { $0.outcome = .written }
        screen.print("text")
        #expect(device.takeWritten() == ["\r\u{1B}[K", "text\n"])
        #expect(screen.hide(ObjectIdentifier(owner)))
        #expect(device.takeWritten() == [])
    }

    @Test func aFailureEndsTheSuspension() throws {
        draw()
        #expect(throws: Failure.self) { try screen.suspend { () throws(Failure) in throw Failure() } }
        #expect(device.takeWritten() == ["\r\u{1B}[K", "\r* Label\u{1B}[K\r"])
    }

    @Test func hiddenWhileSuspendedItStaysHidden() {
        draw()
        screen.suspend { _ = screen.hide(ObjectIdentifier(owner)) }
        #expect(device.takeWritten() == ["\r\u{1B}[K"])
        screen.suspend {}
        #expect(device.takeWritten() == [])
    }

    // MARK: The window

    @Test func theWidthIsReadForEachFrame() {
        #expect(draw("0123456789") == ["\r* 0123456789\u{1B}[K\r"])
        device.change { $0.conditions.columns = 12 }
        #expect(draw("0123456789") == ["\r* 012345678\u{1B}[K\r"])
        device.change { $0.conditions.columns = 9 }
        // What was drawn last had eleven cells: the terminal has wrapped it, and the rest stands below.
        #expect(draw("0123456789") == ["\r*\u{1B}[J\r"])
        #expect(draw("0123456789") == ["\r*\u{1B}[K\r"])
        device.change { $0.conditions.columns = 0 }
        #expect(draw("0123456789") == ["\r* 0123456789\u{1B}[K\r"])
    }

    @Test func aWrappedLineIsErasedWhole() {
        draw("0123456789")
        device.change { $0.conditions.columns = 11 }
        screen.print("text")
        #expect(device.takeWritten() == ["\r\u{1B}[J", "text\n", "\r* 01234567\u{1B}[K\r"])
        device.change { $0.conditions.columns = 9 }
        _ = screen.hide(ObjectIdentifier(owner))
        #expect(device.takeWritten() == ["\r\u{1B}[J"])
    }

    // MARK: The progress bar

    @Test func aTransitionIsToldOnce() {
        for second in 0...40 {
            let expected = second == 0 ? TerminalProgress.start : ""
            #expect(draw(progress: .transitions, at: second) == ["\r* Label\u{1B}[K\r\(expected)"])
        }
        screen.suspend {}
        screen.print("text")
        #expect(!device.takeWritten().joined().contains("]9;"))
        _ = screen.hide(ObjectIdentifier(owner))
        #expect(device.takeWritten() == ["\r\u{1B}[K\u{1B}]9;4;0;0\u{1B}\\"])
    }

    @Test func ghosttyIsToldEveryTenSeconds() {
        let told = (0...25).filter {
            draw(progress: .repeated, at: $0) == ["\r* Label\u{1B}[K\r\u{1B}]9;4;3;0\u{1B}\\"]
        }
        #expect(told == [0, 10, 20])
    }

    @Test func whatTheTerminalDidNotTakeIsToldAgain() {
        device.change { $0.outcome = .busy }
        draw(progress: .transitions)
        device.change { $0.outcome = .written }
        #expect(draw(progress: .transitions).joined().contains(TerminalProgress.start))
        device.change { $0.outcome = .busy }
        #expect(!screen.hide(ObjectIdentifier(owner)))
        device.change { $0.outcome = .written }
        #expect(screen.hide(ObjectIdentifier(owner)))
        #expect(device.takeWritten() == ["\r\u{1B}[K" + TerminalProgress.clear])
    }
}
