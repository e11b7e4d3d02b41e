import NetworkIndicatorTerminal
import Testing

@Suite struct TerminalRowsTests {
    private func line(_ rows: [TerminalIndicator.Row], isUTF8: Bool = true) -> TerminalLine {
        var line = TerminalLine(glyph: "*", label: "Label", style: TerminalStyle(usesColor: false, isUTF8: isUTF8))
        line.rows = rows
        return line
    }

    private func row(_ name: String, _ fraction: Double? = 0.5, _ texts: String...) -> TerminalIndicator.Row {
        let details = texts.enumerated().map { TerminalIndicator.Detail($1, priority: -$0) }
        return TerminalIndicator.Row(name, fraction: fraction, details: details)
    }

    @Test func columnsAreAligned() {
        let line = line([
            row("a.iso", 0.5, "12.0 of 20.0 MB", "3 MB/s"), row("film.mp4", 1, "9 kB", ""), row("b", nil, "1 MB"),
        ])
        #expect(
            line.rows(columns: 80, height: 24) == [
                " a.iso     ━━━━━━━━━━━━━━╾──────────────  50 %  12.0 of 20.0 MB  3 MB/s",
                " film.mp4  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 100 %             9 kB        ",
                " b                                                         1 MB        ",
            ])
    }

    @Test func withoutFractionsThereAreNoBars() {
        #expect(
            line([row("a", nil, "1 MB"), row("bc", .nan)]).rows(columns: 80, height: 24) == [" a   1 MB", " bc      "])
    }

    @Test func detailsAreDroppedAsTheWindowNarrows() {
        let line = line([row("archive-of-everything.zip", 0.5, "12.0 of 20.0 MB", "3 MB/s")])
        #expect(line.rows(columns: 76, height: 24)[0].hasSuffix("zip  ━━━━────  50 %  12.0 of 20.0 MB  3 MB/s"))
        #expect(line.rows(columns: 68, height: 24)[0].hasSuffix("zip  ━━━━────  50 %  12.0 of 20.0 MB"))
        #expect(line.rows(columns: 50, height: 24) == [" archive-of-e…rything.zip  ━━━━────  50 %"])
    }

    @Test func aMissingColumnHasNoPriority() {
        let (size, rate) = (
            TerminalIndicator.Detail("12.0 of 20.0 MB", priority: -1), TerminalIndicator.Detail("3 MB/s", priority: -2)
        )
        let line = line([
            .init("archive-of-everything.zip", fraction: 0.5, details: [size, rate]), .init("b", details: [size]),
        ])
        #expect(line.rows(columns: 68, height: 24)[0].hasSuffix("zip  ━━━━────  50 %  12.0 of 20.0 MB"))
    }

    @Test func namesThatDoNotFitLoseWhatTheyHaveInCommon() {
        let names = ["swift-6.3-RELEASE-debian12.tar.gz", "swift-6.3-RELEASE-ubuntu24.04-aarch64.tar.gz"]
        let line = line(names.map { row($0, nil) })
        #expect(line.rows(columns: 80, height: 24).map { $0.filter { $0 != " " } } == names)
        #expect(
            line.rows(columns: 40, height: 24).map { $0.filter { $0 != " " } } == [
                "…debian12.tar.gz", "…ubuntu24.04-aarch64.tar.gz",
            ])
    }

    @Test func namesLoseWholeWordsOnly() {
        let end = String(repeating: "x", count: 40)
        let rows = line([row("picture-10" + end, nil), row("picture-11" + end, nil)]).rows(columns: 40, height: 24)
        #expect(rows.map { $0.prefix(5) } == [" …10x", " …11x"])
    }

    @Test(arguments: 40...120)
    func noRowReachesTheLastColumns(columns: Int) {
        let names = ["日本語のファイルの名前はとても長いです.zip", "archive-of-everything-and-more.tar.gz", "b"]
        let line = line(names.map { row($0, 0.99, "12.0 of 20.0 MB", "13 MB/s", "1 m 02 s left") })
        for row in line.rows(columns: columns, height: 24) { #expect(CellWidth.of(row) < columns - 8) }
    }

    @Test func rowsNeedRoom() {
        let line = line([row("a"), row("\u{1B}[2Jb\n")])
        #expect(line.rows(columns: 40, height: 4).map { $0.prefix(3) } == [" a ", " b "])
        #expect(line.rows(columns: 40, height: 3) == [])
        #expect(line.rows(columns: 39, height: 24) == [])
        #expect(line.rows(columns: 0, height: 0) == [])
    }
}
