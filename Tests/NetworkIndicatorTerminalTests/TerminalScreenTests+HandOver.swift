import Foundation
import Testing

@testable import NetworkIndicatorTerminal

extension TerminalScreenTests {
    @Test func hidingDoesNotWaitForAText() {
        draw("Label")
        device.change { $0.room = 5 }
        device.stallNext(.wait) { [self] in
            #expect(!hide())
            draw("Other")
            device.change { $0.room = .max }
        }
        screen.print("text")
        #expect(hide() && device.rows == ["text"])
    }

    @Test func drawingDoesNotWaitForAText() {
        device.stallNext(.text) { [self] in for label in ["first", "second"] { draw(label) } }
        screen.print("text")
        #expect(device.rows == ["text", " * second"])
    }

    @Test func aTextWaitsUntilTheRowIsErased() {
        draw("Label")
        device.change { $0.outcome = .busy }
        #expect(!hide())
        screen.print("text")
        #expect(device.rows == ["text"])
        _ = device.takeWritten()
        #expect(hide() && device.takeWritten() == [])
    }

    @Test func textsOfTwoThreadsFollowEachOther() {
        let isOver = DispatchSemaphore(value: 0)
        device.stallNext(.text) { [screen, device] in
            Thread.detachNewThread {
                screen.print("second")
                isOver.signal()
            }
            #expect(isOver.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
            device.write("end of the first\n")
        }
        screen.print("first")
        isOver.wait()
        #expect(device.rows == ["first", "end of the first", "second"])
    }

    @Test func linesOfALogComeBeforeLaterTexts() {
        device.stallNext(.text) { [self] in
            device.change { $0.outcome = .busy }
            screen.log("first")
            screen.log("second")
        }
        screen.print("text")
        screen.print("third")
        #expect(device.rows == ["text", "first", "second", "third"])
    }

    @Test func anExitInTheMiddleOfAFrameDoesNotWaitForIt() {
        device.stallNext(.frame) { [screen] in screen.exit() }
        draw("Label")
        #expect(device.rows == [" * Label"])
        screen.exit()
        #expect(!screen.draw(TerminalBlock("Label"), by: ObjectIdentifier(owner), at: SuspendingClock().now))
        #expect(device.rows == [])
    }
}
