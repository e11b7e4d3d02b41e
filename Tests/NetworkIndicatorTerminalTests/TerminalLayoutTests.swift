import NetworkIndicatorTerminal
import Testing

@Suite struct TerminalLayoutTests {
    private func line(
        _ label: String = "6 files", percent: Int? = 38, isColored: Bool = false, isUTF8: Bool = true
    ) -> TerminalLine {
        let style = TerminalStyle(usesColor: isColored, isUTF8: isUTF8)
        var line = TerminalLine(glyph: isUTF8 ? "⠙" : "|", label: label, style: style)
        line.percent = percent
        line.details = [
            .init("24.1 of 62.6 MB", priority: 2), .init("13 MB/s", priority: 0), .init("3 s left", priority: 1),
        ]
        return line
    }

    @Test(arguments: [
        (
            200,
            " ⠙ 6 files ━━━━━━━━━━━━━━━━━━━───────────────────────────────  38 %  24.1 of 62.6 MB  13 MB/s  3 s left"
        ),
        (80, " ⠙ 6 files ━━━━━━╾───────────  38 %  24.1 of 62.6 MB  13 MB/s  3 s left"),
        (72, " ⠙ 6 files ━━━╾──────  38 %  24.1 of 62.6 MB  13 MB/s  3 s left"),
        (71, " ⠙ 6 files 38 %  24.1 of 62.6 MB  13 MB/s  3 s left"),
        (60, " ⠙ 6 files 38 %  24.1 of 62.6 MB  13 MB/s  3 s left"),
        (59, " ⠙ 6 files 38 %  24.1 of 62.6 MB  3 s left"),
        (49, " ⠙ 6 files 38 %  24.1 of 62.6 MB"),
        (39, " ⠙ 6 files ━━━━━─────────  38 %"),
        (19, " ⠙ 6 files 38 %"),
        (18, " ⠙ 6 fil… 38 %"),
        (16, " ⠙ 6 f… 38 %"),
        (15, " ⠙ 6 files"),
        (10, " ⠙ 6 f…"),
        (9, " ⠙"),
    ])
    func columnsAreDroppedAsTheWindowNarrows(columns: Int, text: String) {
        #expect(line().text(columns: columns) == text)
    }

    @Test func aLongLabelIsCutBeforeThePercentage() {
        let long = line("Fetching a great many files of all sizes")
        #expect(long.text(columns: 60) == " ⠙ Fetching a great many files of all sizes 38 %")
        #expect(long.text(columns: 36) == " ⠙ Fetching a great ma… 38 %")
        #expect(line("swift-6.3-RELEASE.tar.gz").text(columns: 26) == " ⠙ swift-…ar.gz 38 %")
        #expect(long.text(columns: 23) == " ⠙ Fetching … 38 %")
        #expect(long.text(columns: 20) == " ⠙ Fetchi… 38 %")
    }

    @Test func aLongNameLeavesRoomForTheNumbers() {
        let line = line("a-very-long-name-of-a-single-file.tar.gz")
        #expect(
            line.text(columns: 89)
                == " ⠙ a-very-long-…file.tar.gz ━━━╾──────  38 %  24.1 of 62.6 MB  13 MB/s  3 s left")
        #expect(line.text(columns: 60) == " ⠙ a-very-long-…file.tar.gz 38 %  24.1 of 62.6 MB")
        #expect(line.text(columns: 120).contains(" a-very-long-name-of-a-single-file.tar.gz ━━━"))
    }

    @Test func withoutAFractionThereIsNoBar() {
        #expect(line(percent: nil).text(columns: 80) == " ⠙ 6 files  24.1 of 62.6 MB  13 MB/s  3 s left")
    }

    @Test(arguments: [
        (0, "──────────   0 %"), (4, "──────────   4 %"), (5, "╾─────────   5 %"), (10, "━─────────  10 %"),
        (99, "━━━━━━━━━╾  99 %"), (100, "━━━━━━━━━━ 100 %"),
    ])
    func theBarHasHalfCells(percent: Int, end: String) {
        var line = line(percent: percent)
        line.details = []
        #expect(line.text(columns: 34) == " ⠙ 6 files \(end)")
    }

    @Test func theLinuxConsoleGetsAnASCIIBar() {
        var line = TerminalLine(
            glyph: "|", label: "café", style: TerminalStyle(usesColor: false, isUTF8: true, hasSymbols: false))
        line.percent = 50
        #expect(line.text(columns: 31) == " | café =====-----  50 %")
    }

    @Test func emptyDetailsTakeNoRoom() {
        var line = line()
        line.details[1].text = ""
        #expect(line.text(columns: 80) == " ⠙ 6 files ━━━━━━━━━━─────────────────  38 %  24.1 of 62.6 MB  3 s left")
    }

    @Test func equalPrioritiesDropTheLastOne() {
        var line = line(percent: nil)
        line.details = [.init("first"), .init("second")]
        #expect(line.text(columns: 24) == " ⠙ 6 files  first")
    }

    @Test func aReservedWidthDropsTheBarEarly() {
        var line = line()
        line.reservedCells = [15, 8, 8]
        #expect(!line.text(columns: 72).contains("━"))
        #expect(line.text(columns: 73).contains("━"))
    }

    @Test func theCursorHasAColumnOfItsOwn() {
        var line = line(percent: nil)
        line.details = []
        #expect(line.text(columns: 5) == " ⠙")
        #expect(line.text(columns: 2) == "⠙")
        line.isStill = true
        line.glyph = TerminalText(picture: "")
        #expect(line.text(columns: 80) == " 6 files")
    }

    // MARK: Colors

    @Test func colors() {
        var colored = line(percent: 50, isColored: true)
        colored.details = []
        let (accent, grey, end) = ("\u{1B}[35m", "\u{1B}[2m", "\u{1B}[39m")
        #expect(
            colored.text(columns: 34)
                == " \(accent)⠙\(end) 6 files \(accent)━━━━━\(end)\(grey)─────\u{1B}[22m  50 %")
        colored.isStill = true
        colored.glyph = TerminalText(picture: "")
        #expect(colored.text(columns: 80) == " \(grey)6 files\u{1B}[22m")
    }
}
