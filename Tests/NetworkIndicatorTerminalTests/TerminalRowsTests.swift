import NetworkIndicatorTerminal
import Testing

@Suite struct TerminalRowsTests {
    private func lines(
        _ rows: [TerminalIndicator.Row], _ columns: Int = 80, height: Int = 24, isUTF8: Bool = true
    ) -> [String] {
        var block = TerminalBlock(
            ["*"], .init("2 files", fraction: 0.25), colors: TerminalColors(usesColor: false, isUTF8: isUTF8))
        block.rows = rows
        return block.drawing(columns: columns, height: height).lines
    }

    private func row(_ name: String, _ fraction: Double? = 0.5, _ details: String...) -> TerminalIndicator.Row {
        TerminalIndicator.Row(name, fraction: fraction, details: details)
    }

    @Test func theTotalAndItsRowsAreOneTable() {
        let rows = [
            row("a.iso", 0.5, "12.0 of 20.0 MB", "3 MB/s"), row("film.mp4", 1, "9 kB", ""), row("b", nil, "1 MB"),
        ]
        #expect(
            lines(rows) == [
                " * 2 files   ━━━━━━╾───────────────────   25 %",
                "   a.iso     ━━━━━━━━━━━━━─────────────   50 %  12.0 of 20.0 MB  3 MB/s",
                "   film.mp4  ━━━━━━━━━━━━━━━━━━━━━━━━━━  100 %             9 kB",
                "   b                                                       1 MB",
            ])
    }

    @Test func theSecondAndThenTheFirstOfThreeTextsIsDropped() {
        let rows = [row("archive-of-everything.zip", 0.5, "12.0 of 20.0 MB", "3 MB/s", "5 s left")]
        #expect(lines(rows, 92)[1].hasSuffix("  50 %  12.0 of 20.0 MB  3 MB/s  5 s left"))
        #expect(lines(rows, 84)[1].hasSuffix("  50 %  12.0 of 20.0 MB  5 s left"))
        #expect(lines(rows, 60)[1].hasSuffix("  50 %  5 s left"))
        #expect(lines(rows, 40)[1].hasSuffix("  50 %"))
    }

    @Test func namesThatDoNotFitLoseWhatTheyHaveInCommon() {
        let names = ["swift-6.3-RELEASE-debian12.tar.gz", "swift-6.3-RELEASE-ubuntu24.04-aarch64.tar.gz"]
        func shown(_ columns: Int) -> [String] {
            lines(names.map { row($0, nil) }, columns).dropFirst().map { $0.filter { $0 != " " } }
        }
        #expect(shown(100) == names)
        #expect(shown(60) == ["…debian12.tar.gz", "…ubuntu24.04-aarch64.tar.gz"])
    }

    @Test func namesLoseWholeWordsOnly() {
        let end = String(repeating: "x", count: 40)
        let rows = lines([row("picture-10" + end, nil), row("picture-11" + end, nil)], 40)
        #expect(rows.dropFirst().map { $0.prefix(7) } == ["   …10x", "   …11x"])
    }

    @Test(arguments: 20...120)
    func noRowReachesTheLastColumns(columns: Int) {
        let names = ["archive-of-everything-and-more.tar.gz", "b"]
        for line in lines(names.map { row($0, 0.99, "12.0 of 20.0 MB", "13 MB/s", "1 m 02 s left") }, columns) {
            #expect(CellWidth.of(line) < columns - min(8, columns / 5))
        }
    }

    @Test func asManyRowsAsFitAreShown() {
        let rows = (1...20).map { row("\($0)", nil) }
        func shown(_ height: Int) -> [String] {
            lines(rows, height: height).dropFirst().map { String($0.drop { $0 == " " }) }
        }
        #expect(shown(22) == rows.map(\.name))
        #expect(shown(21) == rows.prefix(18).map(\.name) + ["… 2 more"])
        #expect(shown(5) == ["1", "2", "… 18 more"])
        #expect(shown(3) == [] && shown(0) == [])
        #expect(lines(rows, 19) == [" * 2 fi…   25 %"])
        #expect(
            lines([row("a"), row("\u{1B}[2Jb\n")], 40, height: 4).dropFirst().map { $0.prefix(5) } == [
                "   a ", "   b ",
            ])
    }

    @Test func aRowBeforeItsFirstByteIsOnlyAName() {
        #expect(lines([row("a.iso", nil, "", "", ""), row("b.iso", 0.5, "1 of 2 MB", "", "")])[1] == "   a.iso")
    }
}
