import Foundation
import NetworkIndicatorTerminal
import Testing

/// Requests to the screen while another thread writes to it.
@Suite(.timeLimit(.minutes(1)))
struct TerminalHandOverTests {
    private let device = StallingDevice()
    private let screen: TerminalScreen
    private let owner = Owner()

    private final class Owner: Sendable {}

    init() {
        screen = TerminalScreen(device: device)
        screen.show(ObjectIdentifier(owner))
    }

    private let erasure = "\r\u{1B}[K\r\u{1B}[?7h\u{1B}[?25h"

    private func frame(_ label: String) -> String { "\u{1B}[?25l\u{1B}[?7l\r* \(label)\u{1B}[K\r\u{1B}[?7h" }

    @discardableResult
    private func draw(_ label: String) -> Bool {
        let line = TerminalLine(
            glyph: "*", label: label, style: TerminalStyle(usesColor: false, isUTF8: true))
        return screen.draw(line, by: ObjectIdentifier(owner), at: SuspendingClock().now)
    }

    @Test func thePrintingThreadErases() {
        draw("Label")
        device.stallNext(.text) { [self] in #expect(!screen.hide(ObjectIdentifier(owner))) }
        screen.print("text")
        #expect(device.memory.takeWritten() == [frame("Label"), erasure, "text\n", frame("Label"), erasure])
        #expect(screen.hide(ObjectIdentifier(owner)))
        #expect(device.memory.takeWritten() == [])
    }

    @Test func thePrintingThreadDraws() {
        device.stallNext(.text) { [self] in #expect(draw("first") && draw("second")) }
        screen.print("text")
        #expect(device.memory.takeWritten() == ["text\n", frame("second")])
    }

    /// The request arrives after the printing thread has checked for requests.
    @Test func lateRequestsArePerformed() {
        device.stallNext(.text) { [self] in
            draw("first")
            device.stallNext(.frame) { draw("second") }
        }
        screen.print("text")
        #expect(device.memory.takeWritten() == ["text\n", frame("first"), frame("second")])
    }

    @Test func aRowHiddenBeforeItWasDrawnIsNotDrawn() {
        device.stallNext(.text) { [self] in
            draw("Label")
            #expect(screen.hide(ObjectIdentifier(owner)))
        }
        screen.print("text")
        #expect(device.memory.takeWritten() == ["text\n"])
    }

    @Test func aRowHiddenDuringALateTextIsNotDrawnAgain() {
        draw("Label")
        screen.suspend {
            device.stallNext(.text) { [self] in _ = screen.hide(ObjectIdentifier(owner)) }
            screen.print("text")
        }
        #expect(device.memory.takeWritten() == [frame("Label"), erasure, "text\n"])
    }

    /// The caller may write to the terminal next. The test repeats until the machine is fast enough.
    @Test func hidingWaitsForAShortWrite() {
        let isHidden = (0..<100).contains { _ in
            draw("Label")
            let (isPrinting, isHiding, isOver) = (
                DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
            )
            device.stallNext(.text) {
                isPrinting.signal()
                isHiding.wait()
                usleep(5000)  // how long the write takes
            }
            Thread.detachNewThread { [screen] in
                screen.print("text")
                isOver.signal()
            }
            isPrinting.wait()
            isHiding.signal()
            let isHidden = screen.hide(ObjectIdentifier(owner))
            let isErased = device.memory.marks.isEmpty
            isOver.wait()
            screen.show(ObjectIdentifier(owner))
            #expect(isErased || !isHidden)
            return isHidden
        }
        #expect(isHidden)
    }

    @Test func thePrintingThreadWritesTheLogFirst() {
        device.stallNext(.text) { [self] in
            screen.log("first")
            screen.log("second")
        }
        screen.print("text")
        screen.print("third")
        #expect(device.memory.takeWritten().joined() == "text\nfirst\nsecond\nthird\n")
    }
}
