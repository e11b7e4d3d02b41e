import Foundation
import NetworkIndicatorTerminal
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TerminalHandOverTests {
    private let device = StallingDevice()
    private let screen: TerminalScreen
    private let owner = Owner()

    private final class Owner: Sendable {}

    init() {
        screen = TerminalScreen(device: device)
        screen.show(ObjectIdentifier(owner))
    }

    private func frame(_ label: String) -> String { NetworkIndicatorTerminalTests.frame(of: " * \(label)") }

    @discardableResult
    private func draw(_ label: String) -> Bool {
        let block = TerminalBlock(
            ["*"], .init(label), colors: TerminalColors(usesColor: false, isUTF8: true))
        return screen.draw(block, by: ObjectIdentifier(owner), at: SuspendingClock().now)
    }

    @Test func hidingDoesNotWaitForAText() {
        draw("Label")
        device.memory.change { $0.room = 5 }
        device.stallNext(.wait) { [self] in #expect(!screen.hide(ObjectIdentifier(owner)) && draw("Other")) }
        screen.print("text")
        #expect(screen.hide(ObjectIdentifier(owner)))
        let all = frame("Label") + update("text", frame("Label")) + erasureOnSlowTerminal
        #expect(device.memory.takeWritten().joined() == all)
    }

    @Test func drawingDoesNotWaitForAText() {
        device.stallNext(.text) { [self] in #expect(draw("first") && draw("second")) }
        screen.print("text")
        #expect(device.memory.takeWritten() == ["text\n", frame("second")])
    }

    @Test func aTextWaitsUntilTheRowIsErased() {
        draw("Label")
        device.memory.change { $0.outcome = .busy }
        #expect(!screen.hide(ObjectIdentifier(owner)))
        screen.print("text")
        #expect(device.memory.takeWritten() == [frame("Label"), update("text")])
        #expect(screen.hide(ObjectIdentifier(owner)))
        #expect(device.memory.takeWritten() == [])
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
        #expect(device.memory.takeWritten() == ["first\n", "end of the first\n", "second\n"])
    }

    @Test func aLogDoesNotWaitForABlockedText() {
        device.stallNext(.text) { [screen] in screen.log("second") }
        screen.print("first")
        screen.print("third")
        #expect(device.memory.takeWritten() == ["first\n", "second\n", "third\n"])
    }

    @Test func linesOfALogComeBeforeLaterTexts() {
        device.stallNext(.text) { [self] in
            device.memory.change { $0.outcome = .busy }
            screen.log("first")
            screen.log("second")
        }
        screen.print("text")
        screen.print("third")
        #expect(device.memory.takeWritten().joined() == "text\nfirst\nsecond\nthird\n")
    }

    @Test func anExitInTheMiddleOfAFrameDoesNotWaitForIt() {
        device.stallNext(.frame) { [screen] in screen.exit() }
        draw("Label")
        #expect(device.memory.takeWritten() == [frame("Label")])
        screen.exit()
        #expect(!draw("Label"))
        #expect(device.memory.takeWritten() == [erasure])
    }
}
