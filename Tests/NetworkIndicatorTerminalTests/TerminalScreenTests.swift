import NetworkIndicatorTerminal
import Testing

@Suite struct TerminalScreenTests {
    private let device = RecordingDevice()
    private let screen: TerminalScreen
    private let owner = Owner()
    private let begin = SuspendingClock().now

    private final class Owner {}

    private let start = TerminalProgress.sequence(percent: nil)

    private func frame(_ label: String) -> String {
        NetworkIndicatorTerminalTests.frame(of: label.isEmpty ? " *" : " * \(label)")
    }

    init() {
        screen = TerminalScreen(device: device)
        screen.show(ObjectIdentifier(owner))
    }

    @discardableResult
    private func draw(
        _ label: String = "Label", progress: TerminalProgress = .none, at seconds: Int = 0
    ) -> [String] {
        let block = TerminalBlock(
            ["*"], .init(label), colors: TerminalColors(usesColor: false, isUTF8: true), progress: progress)
        _ = screen.draw(block, by: ObjectIdentifier(owner), at: begin.advanced(by: .seconds(seconds)))
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
            device.takeWritten() == [update("during", frame("Label")), erasure, "after\n"])
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

    // MARK: The window

    @Test(arguments: [20, 11, 8]) func aWrappedRowIsErased(columns: Int) {
        for draws in [false, true] {
            screen.print("before")
            draw("0123456789012345678901234567890123456789")
            device.change { $0.conditions.columns = columns }
            if draws { draw("0123456789", at: 1) }
            screen.print("during")
            #expect(device.rows.filter { $0 != "" }.prefix(2) == ["before", "during"], "\(device.rows)")
            _ = screen.hide(ObjectIdentifier(owner))
            #expect(device.rows.filter { $0 != "" } == ["before", "during"], "\(device.rows)")
            device.change {
                $0.conditions.columns = 48
                $0.clear()
            }
        }
    }

    /// The terminal wraps five rows of 97 cells to ten lines, before the indicator learns the new width.
    @Test func rowsThatANarrowerWindowWrapsAreErased() {
        device.change { $0.conditions.columns = 100 }
        var block = TerminalBlock(
            ["*"], .init("Label", fraction: 0.5), colors: TerminalColors(usesColor: false, isUTF8: true))
        block.main.details = ["24.1 of 62.6 MB", "13 MB/s", "3 s left"]
        block.rows = (1...4).map { .init("\($0)", fraction: 0.5) }
        func draw(at second: Int) {
            _ = screen.draw(block, by: ObjectIdentifier(owner), at: begin.advanced(by: .seconds(second)))
        }
        screen.print("before")
        draw(at: 0)
        #expect(device.rows.count == 6)
        device.change { $0.conditions.columns = 52 }
        #expect(device.rows.count > 6)
        draw(at: 1)
        #expect(device.rows.map { $0.prefix(8) } == ["before", " * Label"])
        draw(at: 3)
        #expect(
            device.rows.map { $0.prefix(8) } == ["before", " * Label", "   1    ", "   2    ", "   3    ", "   4    "])
    }

    @Test func aRowThatStillFitsIsErasedWithoutABlankLine() {
        draw("0123456789")
        device.change { $0.conditions.columns = 24 }
        draw("0123456789", at: 1)
        screen.print("text")
        #expect(device.takeWritten() == [update("text", frame("0123456789"))])
    }

    @Test func aWindowShorterThanTheBlockDoesNotScroll() {
        device.change { $0.conditions.rows = 24 }
        func drawRows() -> String {
            var block = TerminalBlock(["*"], "Label", colors: TerminalColors(usesColor: false, isUTF8: true))
            block.rows = (1...20).map { .init("\($0)") }
            _ = screen.draw(block, by: ObjectIdentifier(owner), at: begin)
            return device.takeWritten().joined()
        }
        func lineFeeds(_ text: String) -> Int { text.utf8.count { $0 == 0x0A } }
        #expect(lineFeeds(drawRows()) == 20)
        device.change { $0.conditions.rows = 12 }
        let frame = drawRows()
        #expect(lineFeeds(frame) == 11 && frame.contains("   … 11 more"))
        device.change { $0.conditions.rows = 6 }
        screen.suspend {}
        let text = device.takeWritten()
        #expect(lineFeeds(text[0]) == 5 && lineFeeds(text[1]) == 4)
    }

    #if canImport(Glibc)
    @Test func framesForAWiderWindowLeaveNothingBehind() {
        var terminal = TerminalEmulator(columns: 60)
        device.change { $0.conditions.columns = 60 }
        let label = String(repeating: "x", count: 50)
        terminal.feed(draw(label, at: 0).joined())
        terminal.resize(columns: 20)
        for second in 1...5 { terminal.feed(draw(label, at: second).joined()) }
        device.change { $0.conditions.columns = 20 }
        terminal.feed(draw(label, at: 6).joined())
        #expect(terminal.rows.first == " * \(label.prefix(14))…")
        _ = screen.hide(ObjectIdentifier(owner))
        terminal.feed(device.takeWritten().joined())
        #expect(terminal.rows == [])
        #expect(terminal.wraps)
    }

    /// The emulated terminal draws most of these characters in two cells, but the indicator counts one cell for each.
    @Test(arguments: ["Загрузка файлов с сервера", "λήψη αρχείων από τον διακομιστή", "→→→→→→→→→→→→→→→→→→→→→→→→→→"])
    func ambiguousLabelsNeverWrap(label: String) {
        var terminal = TerminalEmulator(columns: 30)
        terminal.ambiguousIsWide = true
        device.change { $0.conditions.columns = 30 }
        for second in 0..<2 { terminal.feed(draw(label, at: second).joined()) }
        #expect(terminal.rows.count == 1)
    }

    @Test func rowsAreDrawnOverAndErased() {
        var terminal = TerminalEmulator(columns: 60)
        device.change { ($0.conditions.columns, $0.conditions.rows) = (60, 24) }
        screen.print("before")
        for (second, rows) in [["a", "b", "c"], ["d"], [], ["e", "f"]].enumerated() {
            var block = TerminalBlock(["*"], "Label", colors: TerminalColors(usesColor: false, isUTF8: true))
            block.rows = rows.map { .init($0) }
            _ = screen.draw(block, by: ObjectIdentifier(owner), at: begin.advanced(by: .seconds(second)))
            terminal.feed(device.takeWritten().joined())
            #expect(terminal.rows == ["before", " * Label"] + rows.map { "   " + $0 })
            #expect(terminal.currentRow == " * Label")
        }
        screen.print("during")
        terminal.feed(device.takeWritten().joined())
        #expect(terminal.rows == ["before", "during", " * Label", "   e", "   f"])
        _ = screen.hide(ObjectIdentifier(owner))
        terminal.feed(device.takeWritten().joined())
        #expect(terminal.rows == ["before", "during"])
    }

    @Test(arguments: [7, 100, 333])
    func rowsThatArriveInParts(room: Int) {
        device.change { ($0.conditions.columns, $0.conditions.rows, $0.room) = (60, 24, room) }
        for second in 0..<40 {
            var block = TerminalBlock(["*"], "Label", colors: TerminalColors(usesColor: true, isUTF8: true))
            block.rows = (0..<(second % 20)).map { .init("\($0)", fraction: 0.5) }
            _ = screen.draw(block, by: ObjectIdentifier(owner), at: begin.advanced(by: .seconds(second)))
            if second % 8 == 0 { screen.print("\(second)") }
            if second % 8 == 4 { screen.suspend { device.write("\(second)\n") } }
        }
        while !screen.hide(ObjectIdentifier(owner)) {}
        #expect(device.rows == stride(from: 0, to: 40, by: 4).map { "\($0)" })
        #expect(device.emulator.wraps)
    }

    @Test func outputThroughAnotherProgramDoesNotJoinTheRow() {
        var terminal = TerminalEmulator(columns: 40)
        device.change { $0.isOutputDelayed = true }
        for second in 0..<3 {
            terminal.feed(draw(at: second).joined())
            screen.suspend(until: { begin.advanced(by: .seconds(second) + .milliseconds(50)) }) {}
            terminal.feed(device.takeWritten().joined())
            #expect(draw(at: second) == [])
            screen.print("error \(second)")
            terminal.feed(device.takeWritten().joined())
            terminal.feed("out \(second)\r\n")
        }
        terminal.feed(draw(at: 3).joined())
        #expect(terminal.rows == (0..<3).flatMap { ["error \($0)", "out \($0)"] } + [" * Label"])
    }
    #endif

    // MARK: A slow terminal

    @Test func framesLeaveTheModesOnASlowTerminal() {
        device.change { ($0.conditions.rows, $0.room) = (24, 20) }
        func draw(at second: Int) -> String {
            var block = TerminalBlock(["*"], "Label", colors: TerminalColors(usesColor: false, isUTF8: true))
            block.rows = [.init("first")]
            _ = screen.draw(block, by: ObjectIdentifier(owner), at: begin.advanced(by: .seconds(second)))
            return device.takeWritten().joined()
        }
        #expect(draw(at: 0).contains("\u{1B}[?7l"))
        device.change { $0.room = .max }
        #expect(draw(at: 1).hasSuffix("\r * Label\u{1B}[K\n\r   first\u{1B}[K\u{1B}[1A\r"))
        #expect(!draw(at: 9).contains("?"))
        // Ctrl-C may have discarded the sequences that restore the terminal's modes, so `erase` sends them again.
        screen.erase(until: begin)
        #expect(device.takeWritten().joined().hasPrefix("\u{1B}[?7h\u{1B}[?2026l"))
        #expect(!draw(at: 9).contains("?"))
        #expect(screen.hide(ObjectIdentifier(owner)))
        #expect(device.takeWritten().joined().hasPrefix("\u{1B}[?7h\u{1B}[?2026l"))
        screen.show(ObjectIdentifier(owner))
        #expect(draw(at: 10).contains("\u{1B}[?7l"))
        #expect(draw(at: 11).contains("\u{1B}[?2026h"))
    }

    #if canImport(Glibc)
    @Test func aTextDoesNotWaitForRows() {
        var terminal = TerminalEmulator(columns: 60)
        device.change { ($0.conditions.columns, $0.conditions.rows, $0.room) = (60, 24, 50) }
        for second in 0..<3 {
            var block = TerminalBlock(["*"], "Label", colors: TerminalColors(usesColor: false, isUTF8: true))
            block.rows = (1...20).map { .init("\($0)", fraction: 0.5) }
            _ = screen.draw(block, by: ObjectIdentifier(owner), at: begin.advanced(by: .seconds(second)))
            terminal.feed(device.takeWritten().joined())
            screen.print("text \(second)")
            let written = device.takeWritten().joined()
            #expect(written.hasSuffix("text \(second)\n") && written.utf8.count < 300, "\(written.utf8.count)")
            terminal.feed(written)
            #expect(terminal.rows == (0...second).map { "text \($0)" })
        }
    }
    #endif

    @Test func theFirstLongFramesLeaveWrappingOn() {
        device.change { $0.conditions.rows = 24 }
        func draw(at second: Int) -> String {
            var block = TerminalBlock(["*"], "Label", colors: TerminalColors(usesColor: false, isUTF8: true))
            block.rows = (1...4).map { .init("\($0)") }
            _ = screen.draw(block, by: ObjectIdentifier(owner), at: begin.advanced(by: .seconds(second)))
            return device.takeWritten().joined()
        }
        for second in 0..<10 {
            let frame = draw(at: second)
            #expect(!frame.contains("?7"))
            #expect(frame.hasPrefix("\u{1B}[?2026h") && frame.hasSuffix("\u{1B}[?2026l"))
        }
        #expect(draw(at: 10).contains("\u{1B}[?7l"))
    }

    // MARK: The progress bar

    @Test func aTransitionIsSentOnce() {
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

    @Test func ghosttyGetsTheStateEveryTenSeconds() {
        let seconds = (0...25).filter {
            draw(progress: .repeated, at: $0) == [frame("Label") + start]
        }
        #expect(seconds == [0, 10, 20])
    }
}
