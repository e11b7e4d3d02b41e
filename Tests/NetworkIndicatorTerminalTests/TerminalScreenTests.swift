import Foundation
import TestSupport
import Testing

@testable import NetworkIndicatorTerminal

@Suite(.timeLimit(.minutes(10)))
struct TerminalScreenTests {
    let device = RecordingDevice()
    let screen: TerminalScreen
    let owner = Owner()
    private let begin = SuspendingClock().now

    final class Owner: Sendable {}

    init() {
        screen = TerminalScreen(device: device)
        screen.show(ObjectIdentifier(owner))
    }

    func draw(
        _ label: String = "Label", rows: [TerminalIndicator.Row] = [], progress: TerminalProgress = .none,
        pictures: [String] = ["*"], changes: Int = 0, at seconds: Int = 0
    ) {
        var block = TerminalBlock(
            pictures, .init(label), colors: TerminalColors(usesColor: false, isUTF8: true), progress: progress)
        block.rows = rows
        let time = begin.advanced(by: .seconds(seconds))
        #expect(screen.draw(block, by: ObjectIdentifier(owner), at: time, pictures: changes))
    }

    func hide() -> Bool { screen.hide(ObjectIdentifier(owner)) }

    /// Ctrl-C may have discarded the end of the frame, which turns wrapping on.
    @Test func theErasureTurnsWrappingOn() {
        draw()
        _ = device.takeWritten()
        #expect(hide() && device.takeWritten().map { $0.hasPrefix("\u{1B}[?7h") } == [true])
    }

    // MARK: Other output

    @Test func textsAppearAboveTheRows() {
        screen.print("before")
        for (second, rows) in [["a", "b", "c"], ["d"], [], ["e", "f"]].enumerated() {
            draw(rows: rows.map { .init($0) }, at: second)
            #expect(device.rows == ["before", " * Label"] + rows.map { "   " + $0 })
            #expect(device.emulator.currentRow == " * Label" && device.emulator.wraps)
        }
        _ = device.takeWritten()
        screen.print("during")
        let written = device.takeWritten()
        #expect(written.count == 1 && written[0].hasPrefix("\u{1B}[?2026h") && written[0].hasSuffix("\u{1B}[?2026l"))
        #expect(device.rows == ["before", "during", " * Label", "   e", "   f"])
        #expect(hide())
        screen.print("after")
        #expect(device.rows == ["before", "during", "after"])
    }

    @Test func suspendsAndDrawsTheLatestRowAgain() {
        draw()
        let result = screen.suspend {
            #expect(device.rows == [])
            draw("Other")
            screen.suspend { screen.print("inside") }
            #expect(device.rows == ["inside"])
            return 7
        }
        #expect(result == 7 && device.rows == ["inside", " * Other"])
    }

    @Test func outputThroughAnotherProgramDoesNotJoinTheRow() {
        device.change { $0.isOutputDelayed = true }
        for second in 0..<3 {
            draw(at: second)
            screen.suspend(until: { begin.advanced(by: .seconds(second) + .milliseconds(50)) }) {}
            draw(at: second)
            screen.print("error \(second)")
            device.write("out \(second)\r\n")
        }
        draw(at: 3)
        #expect(device.rows == (0..<3).flatMap { ["error \($0)", "out \($0)"] } + [" * Label"])
    }

    // MARK: The window

    /// The terminal wraps the rows before the indicator learns the new width.
    @Test(arguments: [90, 52, 20, 11]) func rowsThatANarrowerWindowWrapsAreErased(columns: Int) {
        let long = String(repeating: "x", count: 90)
        for draws in [false, true] {
            device.change {
                $0.conditions.columns = 100
                $0.clear()
            }
            screen.print("before")
            draw(long, rows: (1...4).map { .init("\($0) \(long)") })
            device.change { $0.conditions.columns = columns }
            #expect(device.rows.count > 6)
            if draws {
                draw("Label", rows: ["a"], at: 1)
                #expect(device.rows == ["before", " * Label"] + (columns < 20 ? [] : ["   a"]))
            }
            #expect(hide())
            #expect(device.rows == ["before"])
            screen.show(ObjectIdentifier(owner))
        }
    }

    /// The terminal wraps the rows, and then receives a frame that was drawn for the earlier width.
    @Test(arguments: [0, 1, 8]) func theEndsOfEarlierRowsAreErased(count: Int) {
        let long = String(repeating: "x", count: 90)
        let rows = (0..<count).map { TerminalIndicator.Row("\($0) \(long)") }
        draw(long, rows: rows)
        for columns in [44, 40, 36, 32] {
            device.stallNext(.frame) { [device] in device.change { $0.conditions.columns = columns } }
            draw(long, rows: rows, at: 1)
        }
        draw(at: 2)
        #expect(device.rows == [" * Label"])
    }

    @Test func aWindowShorterThanTheBlockDoesNotScroll() {
        let rows = (1...20).map { TerminalIndicator.Row("\($0)") }
        func lineFeeds() -> [Int] { device.takeWritten().map { $0.utf8.count { $0 == 0x0A } } }
        draw(rows: rows)
        #expect(lineFeeds() == [20])
        device.change { $0.conditions.rows = 12 }
        draw(rows: rows)
        #expect(lineFeeds() == [11] && device.rows.contains("   +11 more"))
        device.change { $0.conditions.rows = 6 }
        screen.suspend {}
        #expect(lineFeeds() == [5, 4])
    }

    // MARK: A slow terminal

    @Test(arguments: [7, 100, 333])
    func rowsThatArriveInParts(room: Int) {
        device.change { $0.room = room }
        for second in 0..<40 {
            draw(rows: (0..<(second % 20)).map { .init("\($0)", fraction: 0.5) }, at: second)
            if second % 8 == 0 { screen.print("\(second)") }
            if second % 8 == 4 { screen.suspend { device.write("\(second)\n") } }
        }
        while !hide() {}
        #expect(device.rows == stride(from: 0, to: 40, by: 4).map { "\($0)" })
        #expect(device.emulator.wraps)
    }

    @Test func aBlockedTerminalDropsFramesButNoErasure() {
        draw("first")
        device.change { $0.outcome = .busy }
        draw("second")
        #expect(!hide() && device.rows == [" * first"])
        device.change { $0.outcome = .written }
        #expect(hide() && device.rows == [])
        #expect(!device.takeWritten().joined().contains("second"))
    }

    /// A text doesn't wait for the rows below it.
    @Test func aFrameBeginsWhenTheLastOneHasBeenRead() {
        draw("first", rows: ["a"], changes: 1)
        device.change { $0.isIdle = false }
        _ = device.takeWritten()
        draw("second", rows: ["a"], changes: 1)
        #expect(screen.advance(by: ObjectIdentifier(owner)) && device.takeWritten() == [])
        screen.print("text")
        draw("third", rows: ["a"])
        #expect(device.rows == ["text"])
        device.change { $0.isIdle = true }
        draw("fourth", rows: ["a"])
        #expect(device.rows == ["text", " * fourth", "   a"])
        device.change { $0.isIdle = false }
        #expect(hide() && device.rows == ["text"])
    }

    // MARK: Pictures

    @Test func onlyThePictureChangesWhileTheRowStays() {
        func isAdvanced() -> Bool { screen.advance(by: ObjectIdentifier(owner)) }
        let pictures = ["a", "b", "c"]
        #expect(!isAdvanced())
        draw(pictures: pictures, changes: 2)
        _ = device.takeWritten()
        #expect(isAdvanced() && device.rows == [" b Label"])
        #expect(isAdvanced() && device.rows == [" c Label"])
        #expect(!isAdvanced() && device.takeWritten() == ["\r b\r", "\r c\r"])
        draw(pictures: pictures, changes: .max)
        screen.suspend { #expect(isAdvanced() && device.rows == []) }
        for change: (inout RecordingDevice.State) -> Void in [
            { $0.conditions.typedBytes = 1 }, { $0.conditions.columns = 79 }, { $0.conditions.rows = 7 },
        ] {
            device.change(change)
            #expect(!isAdvanced())
            draw(pictures: pictures, changes: .max)
            #expect(isAdvanced())
        }
        _ = device.takeWritten()
        device.change { $0.conditions.isForeground = false }
        #expect(isAdvanced())
        device.change { $0.conditions.isForeground = true }
        #expect(!isAdvanced() && device.takeWritten() == [])
    }

    // MARK: The progress bar

    @Test(arguments: [(TerminalProgress.transitions, [0]), (.repeated, [0, 10, 20])])
    func theTerminalsOwnBarIsSet(progress: TerminalProgress, expected: [Int]) {
        let seconds = (0...25).filter { second in
            let count = device.emulator.progress.count
            draw(progress: progress, at: second)
            return device.emulator.progress.count > count
        }
        #expect(seconds == expected)
        screen.suspend {}
        screen.print("text")
        #expect(Set(device.emulator.progress) == ["3;0"])
        #expect(hide() && device.emulator.progress.last == "0;0")
    }

    // MARK: Other threads

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
        let block = TerminalBlock(["*"], "Label", colors: TerminalColors(usesColor: false, isUTF8: true))
        #expect(!screen.draw(block, by: ObjectIdentifier(owner), at: SuspendingClock().now))
        #expect(device.rows == [])
    }
}
