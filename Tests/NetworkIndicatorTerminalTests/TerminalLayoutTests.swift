import Testing

@testable import NetworkIndicatorTerminal

@Suite struct TerminalLayoutTests {
    private func block(
        _ label: String = "6 files", percent: Int? = 38,
        texts: (String?, String?, String?) = ("24.1 of 62.6 MB", "13 MB/s", "3 s left"), isColored: Bool = false,
        rows: [TerminalIndicator.Row] = []
    ) -> TerminalBlock {
        var main = TerminalIndicator.Row(label, fraction: percent.map { Double($0) / 100 })
        (main.amount, main.rate, main.time) = texts
        var block = TerminalBlock(["⠙"], main, colors: TerminalColors(usesColor: isColored, isUTF8: true))
        block.rows = rows
        return block
    }

    private func lines(_ block: TerminalBlock, _ columns: Int, height: Int = 24) -> [String] {
        block.drawing(columns: columns, height: height).lines
    }

    private func line(_ block: TerminalBlock, _ columns: Int) -> String { lines(block, columns)[0] }

    private func row(_ name: String, _ fraction: Double? = 0.5, _ texts: String...) -> TerminalIndicator.Row {
        guard texts.count == 3 else { return TerminalIndicator.Row(name, fraction: fraction) }
        return TerminalIndicator.Row(name, fraction: fraction, amount: texts[0], rate: texts[1], time: texts[2])
    }

    private func cells(_ text: String) -> Int { text.reduce(0) { $0 + CellWidth.of($1) } }

    // MARK: One row

    @Test(arguments: [
        (200, " 6 files  ━━━━━━━━━━━━━━━─────────────────────────  38 %   24.1 of 62.6 MB   13 MB/s      3 s left"),
        (80, " 6 files  ━━━━━━───────────  38 %   24.1 of 62.6 MB   13 MB/s      3 s left"),
        (70, " 6 files  ━━╾────  38 %   24.1 of 62.6 MB   13 MB/s      3 s left"),
        (60, " 6 files  ━━╾────  38 %   24.1 of 62.6 MB      3 s left"),
        (41, " 6 files  ━━────  38 %      3 s left"), (40, " 6 files  38 %      3 s left"), (30, " 6 files  38 %"),
        (20, " 6 files  38 %"),
        (16, " 6 fil…  38 %"), (11, " 6 files"), (9, ""), (5, ""),
    ])
    func partsAreDroppedAsTheWindowNarrows(columns: Int, text: String) {
        #expect(line(block(), columns) == " ⠙" + text)
    }

    @Test(arguments: [
        (120, "debian-12.8.0-amd64-netinst.iso  ━━━━━━━━━━━━╾────────────────────  38 %   24.1 of 62.6 MB   13 MB/s"),
        (80, "debian-12…inst.iso  ━━────  38 %   24.1 of 62.6 MB   13 MB/s      3 s left"),
        (60, "debian-12.8…etinst.iso  ━━━╾──────  38 %      3 s left"),
        (40, "debian-…st.iso  38 %      3 s left"), (30, "debian-12…tinst.iso  38 %"),
    ])
    func aLongNameIsShortenedBeforeNumbersAreDropped(columns: Int, text: String) {
        #expect(line(block("debian-12.8.0-amd64-netinst.iso"), columns).hasPrefix(" ⠙ " + text))
    }

    @Test func onlyACompleteTransferHasAHundredPercent() {
        let fractions = [-1, 0.29, 1.0.nextDown, 1, 2, .nan]
        #expect(fractions.map { TerminalIndicator.Row("a", fraction: $0).percent } == [0, 29, 99, 100, 100, nil])
    }

    @Test func withoutAFractionThereIsNoBar() {
        #expect(line(block(percent: nil), 80) == " ⠙ 6 files   24.1 of 62.6 MB   13 MB/s      3 s left")
    }

    // MARK: Further rows

    private var fourFiles: TerminalBlock {
        block(
            "12/24 files", percent: 37, texts: ("24.1 of ~62.6 MB", "1.2 MB/s", "32 s left"),
            rows: [
                row("archive.tar.gz", 0.5, "450 of 900 kB", "250 kB/s", "2 s left"),
                row("debian-12.8.0-amd64-netinst.iso", 1, "12.0 of 12.0 MB", "250 kB/s", "in 12 s"),
                row("notes.txt", nil, "", "", ""),
                row("swift-6.3-RELEASE.tar.gz", 0.25, "1.0 of 4.0 MB", "", "waiting, 8 s"),
            ])
    }

    @Test func atEightyColumnsRowsHaveAllNumbersAndTheTotalItsRate() {
        #expect(
            lines(fourFiles, 80) == [
                " ⠙ 12/24 files   1.2 MB/s  ━━━╾──────  37 %  24.1 of ~62.6 MB     32 s left",
                "   archive.tar.gz          ━━━━━─────  50 %     450 of 900 kB      2 s left",
                "   debian-12.8…etinst.iso  ━━━━━━━━━━ 100 %   12.0 of 12.0 MB       in 12 s",
                "   notes.txt",
                "   swift-6.3-R…ASE.tar.gz  ━━╾───────  25 %     1.0 of 4.0 MB  waiting, 8 s",
            ])
    }

    /// A part is a detail, the bar, or the percentage.
    @Test(arguments: [
        "6 files", "debian-12.8.0-amd64-netinst.iso", "x",
        "a-very-long-name-of-a-single-file-that-goes-on-and-on.tar.gz",
    ])
    func aNarrowerWindowNeverShowsMore(name: String) {
        for names in [[], ["film.mp4", "the-name-of-another-file-of-this-batch.tar.gz"]] {
            let rows = names.map { row($0, 0.99, "1.5 of 3.0 MB", "900 kB/s", "12 s left") }
            let block = block(name, rows: rows)
            var (wider, widerCells) = (Set<String>(), Int.max)
            for columns in (1...200).reversed() {
                let drawing = block.drawing(columns: columns, height: 24)
                let parts = ["MB  ", "MB/s", "left", "%", "━"].filter(drawing.lines[0].contains)
                #expect(wider.isSuperset(of: parts) || columns == 200, "\(columns)")
                #expect(drawing.cells <= widerCells)
                #expect(drawing.cells < columns - min(rows.isEmpty ? 2 : 8, columns / 20))
                for line in drawing.lines { #expect(cells(line) <= drawing.cells) }
                (wider, widerCells) = (Set(parts), drawing.cells)
            }
        }
    }

    @Test func namesThatDoNotFitLoseWhatTheyHaveInCommon() {
        let names = ["swift-6.3-RELEASE-debian12.tar.gz", "swift-6.3-RELEASE-ubuntu24.04-aarch64.tar.gz"]
        func shown(_ names: [String], _ columns: Int) -> [String] {
            lines(block(rows: names.map { row($0, nil) }), columns).dropFirst().map { $0.filter { $0 != " " } }
        }
        #expect(shown(names, 120) == names)
        #expect(shown(names, 70) == ["…debian12.tar.gz", "…ubuntu24.04-aarch64.tar.gz"])
        let end = String(repeating: "x", count: 40)
        #expect(shown(["picture-10" + end, "picture-11" + end], 40).map { $0.prefix(4) } == ["…10x", "…11x"], "words")
    }

    @Test func asManyRowsAsFitAreShown() {
        let rows = (1...20).map { row("\($0)", nil) }
        func shown(_ height: Int, _ columns: Int = 80) -> [String] {
            lines(block(rows: rows), columns, height: height).dropFirst().map { String($0.drop { $0 == " " }) }
        }
        #expect(shown(22) == rows.map(\.name))
        #expect(shown(21) == rows.prefix(18).map(\.name) + ["+2 more"])
        #expect(shown(5) == ["1", "2", "+18 more"])
        #expect(shown(3) == [] && shown(0) == [] && shown(22, 19) == [])
    }

    // MARK: Names that aren't ASCII

    @Test(arguments: ["👩‍👩‍👧‍👦.mp4", "קובץ.mp4", "ملف.mp4"])
    func aColumnAfterSuchANameHasAnAbsolutePosition(name: String) {
        let column = 4 + cells(name)
        #expect(
            line(block(name, texts: (nil, nil, nil)), 34).hasPrefix(" ⠙ \(name)\u{200E}\u{1B}[K\u{1B}[\(column)G  ━"))
        #expect(line(block(name, percent: nil, texts: (nil, nil, nil)), 34) == " ⠙ \(name)")
    }

    // MARK: Colors

    @Test func theThemeChoosesTheColors() {
        let (accent, grey, end) = ("\u{1B}[35m", "\u{1B}[2m", "\u{1B}[39m")
        #expect(
            line(block(percent: 50, isColored: true), 60)
                == " \(accent)⠙\(end) 6 files  \(accent)━━━╾\(end)\(grey)───\u{1B}[22m  50 %"
                + "   \(grey)24.1 of 62.6 MB\u{1B}[22m      3 s left")
        #expect(line(block(percent: 100, texts: (nil, nil, nil), isColored: true), 32).contains("\u{1B}[32m━━━━━━"))
        let colors = TerminalColors(usesColor: true, isUTF8: true)
        #expect(line(TerminalBlock(["⏸"], "a", colors: colors, isPaused: true), 80) == " \(grey)⏸\u{1B}[22m a")
        let total = line(block(percent: 50, isColored: true, rows: ["film.mp4"]), 80)
        #expect(total.contains(" \u{1B}[1m6 files\u{1B}[22m        \(grey)13 MB/s\u{1B}[22m  "))
        #expect(total.contains("  \u{1B}[1m50 %\u{1B}[22m"))
    }
}
