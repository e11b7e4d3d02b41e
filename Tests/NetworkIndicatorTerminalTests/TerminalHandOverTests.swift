import Foundation
import Testing

@testable import NetworkIndicatorTerminal

@Suite(.timeLimit(.minutes(10)))
struct TerminalHandOverTests {
    private let device = StallingDevice()
    private let screen: TerminalScreen
    private let owner = Owner()

    private final class Owner: Sendable {}

    private var rows: [String] { device.memory.rows }

    init() {
        screen = TerminalScreen(device: device)
        screen.show(ObjectIdentifier(owner))
    }

    @discardableResult
    private func draw(_ label: String) -> Bool {
        screen.draw(TerminalBlock(label), by: ObjectIdentifier(owner), at: SuspendingClock().now)
    }

    @Test func hidingDoesNotWaitForAText() {
        draw("Label")
        device.memory.change { $0.room = 5 }
        device.stallNext(.wait) { [self] in #expect(!screen.hide(ObjectIdentifier(owner)) && draw("Other")) }
        screen.print("text")
        #expect(screen.hide(ObjectIdentifier(owner)) && rows == ["text"])
    }

    @Test func drawingDoesNotWaitForAText() {
        device.stallNext(.text) { [self] in #expect(draw("first") && draw("second")) }
        screen.print("text")
        #expect(rows == ["text", " * second"])
    }

    @Test func aTextWaitsUntilTheRowIsErased() {
        draw("Label")
        device.memory.change { $0.outcome = .busy }
        #expect(!screen.hide(ObjectIdentifier(owner)))
        screen.print("text")
        #expect(rows == ["text"])
        _ = device.memory.takeWritten()
        #expect(screen.hide(ObjectIdentifier(owner)) && device.memory.takeWritten() == [])
    }

    @Test func textsOfTwoThreadsFollowEachOther() {
        let isOver = DispatchSemaphore(value: 0)
        device.stallNext(.text) { [screen, device] in
            Thread.detachNewThread {
                screen.print("second")
                isOver.signal()
            }
            #expect(isOver.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
            device.memory.write("end of the first\n")
        }
        screen.print("first")
        isOver.wait()
        #expect(rows == ["first", "end of the first", "second"])
    }

    @Test func linesOfALogComeBeforeLaterTexts() {
        device.stallNext(.text) { [self] in
            device.memory.change { $0.outcome = .busy }
            screen.log("first")
            screen.log("second")
        }
        screen.print("text")
        screen.print("third")
        #expect(rows == ["text", "first", "second", "third"])
    }

    @Test func anExitInTheMiddleOfAFrameDoesNotWaitForIt() {
        device.stallNext(.frame) { [screen] in screen.exit() }
        draw("Label")
        #expect(rows == [" * Label"])
        screen.exit()
        #expect(!draw("Label") && rows == [])
    }
}
