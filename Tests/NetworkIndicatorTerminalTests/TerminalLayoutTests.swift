import NetworkIndicatorTerminal
import Testing

@Suite struct TerminalLayoutTests {
    private static let details = ["24.1 of 62.6 MB", "13 MB/s", "3 s left"]

    private func block(
        _ label: String = "6 files", percent: Int? = 38, details: [String] = details, isColored: Bool = false,
        isUTF8: Bool = true
    ) -> TerminalBlock {
        TerminalBlock(
            [isUTF8 ? "⠙" : "|"], .init(label, fraction: percent.map { Double($0) / 100 }, details: details),
            colors: TerminalColors(usesColor: isColored, isUTF8: isUTF8))
    }

    private func line(_ block: TerminalBlock, _ columns: Int) -> String {
        block.drawing(columns: columns, height: 24).lines[0]
    }

    @Test(arguments: [
        (
            200,
            " ⠙ 6 files  ━━━━━━━━━━━━━━━─────────────────────────   38 %  24.1 of 62.6 MB  13 MB/s  3 s left"
        ),
        (80, " ⠙ 6 files  ━━━━━━──────────   38 %  24.1 of 62.6 MB  13 MB/s  3 s left"),
        (72, " ⠙ 6 files  ━━━─────   38 %  24.1 of 62.6 MB  13 MB/s  3 s left"),
        (71, " ⠙ 6 files  ━━━━━━──────────   38 %  24.1 of 62.6 MB  3 s left"),
        (63, " ⠙ 6 files  ━━━─────   38 %  24.1 of 62.6 MB  3 s left"),
        (62, " ⠙ 6 files  ━━━━━━━━━───────────────   38 %  3 s left"),
        (46, " ⠙ 6 files  ━━━─────   38 %  3 s left"),
        (44, " ⠙ 6 files  ━━────   38 %  3 s left"),
        (43, " ⠙ 6 files  ━━━━━╾─────────   38 %"),
        (32, " ⠙ 6 files  ━━────   38 %"),
        (31, " ⠙ 6 files   38 %"),
        (23, " ⠙ 6 files   38 %"),
        (18, " ⠙ 6 f…   38 %"),
        (17, " ⠙ 6 files"),
        (12, " ⠙ 6 fil…"),
        (9, " ⠙"),
    ])
    func partsAreDroppedAsTheWindowNarrows(columns: Int, text: String) {
        #expect(line(block(), columns) == text)
    }

    @Test(arguments: [
        (
            120,
            "debian-12.8.0-amd64-netinst.iso  ━━━━━━━━━━━━────────────────────   38 %  24.1 of 62.6 MB  13 MB/s  3 s left"
        ),
        (100, "debian-12.8.0-amd64-netinst.iso  ━━━━╾───────   38 %  24.1 of 62.6 MB  13 MB/s  3 s left"),
        (80, "debian-12.8.0-amd64-netinst.iso  ━━━━━━╾───────────   38 %  3 s left"),
        (60, "debian-12.8…netinst.iso  ━━────   38 %  3 s left"),
        (50, "debian-12.8…netinst.iso  ━━────   38 %"),
        (40, "debian…st.iso  ━━────   38 %"),
        (30, "debian…st.iso   38 %"),
    ])
    func aLongNameIsShortenedBeforeTheTimeIsDropped(columns: Int, text: String) {
        #expect(line(block("debian-12.8.0-amd64-netinst.iso"), columns) == " ⠙ " + text)
    }

    /// A part is a detail, the bar, or the percentage.
    @Test(arguments: [
        "6 files", "debian-12.8.0-amd64-netinst.iso", "x",
        "a-very-long-name-of-a-single-file-that-goes-on-and-on.tar.gz",
    ])
    func aNarrowerWindowNeverShowsMore(name: String) {
        var block = block(name)
        for rows in [[], ["film.mp4", "the-name-of-another-file-of-this-batch.tar.gz"]] {
            block.rows = rows.map { .init($0, fraction: 0.5, details: ["1.5 of 3.0 MB", "900 kB/s", "12 s left"]) }
            var (wider, widerCells) = (Set<String>(), Int.max)
            for columns in (1...200).reversed() {
                let drawing = block.drawing(columns: columns, height: 24)
                let parts = ["MB  ", "MB/s", "left", "%", "━"].filter(drawing.lines[0].contains)
                #expect(wider.isSuperset(of: parts) || columns == 200, "\(columns)")
                #expect(drawing.cells <= widerCells && drawing.cells < columns)
                for line in drawing.lines { #expect(CellWidth.of(line) <= drawing.cells) }
                (wider, widerCells) = (Set(parts), drawing.cells)
            }
        }
    }

    @Test func theLabelIsCutAtItsEndAndANameInTheMiddle() {
        let long = block("Fetching a great many files of all sizes", details: [])
        #expect(line(long, 40).hasPrefix(" ⠙ Fetching a g…  "))
        #expect(line(block("swift-6.3-RELEASE.tar.gz", details: []), 26) == " ⠙ swift…r.gz   38 %")
    }

    @Test func withoutAFractionThereIsNoBar() {
        #expect(line(block(percent: nil), 80) == " ⠙ 6 files  24.1 of 62.6 MB  13 MB/s  3 s left")
    }

    @Test(arguments: [
        (0, "────────────────────    0 %"), (4, "╾───────────────────    4 %"), (10, "━━──────────────────   10 %"),
        (99, "━━━━━━━━━━━━━━━━━━━╾   99 %"), (100, "━━━━━━━━━━━━━━━━━━━━  100 %"),
    ])
    func theBarHasHalfCells(percent: Int, end: String) {
        #expect(line(block(percent: percent, details: []), 48) == " ⠙ 6 files  \(end)")
    }

    @Test func theLinuxConsoleGetsAnASCIIBar() {
        let block = TerminalBlock(
            ["|"], .init("café", fraction: 0.5),
            colors: TerminalColors(usesColor: false, isUTF8: true, hasSymbols: false))
        #expect(line(block, 34) == " | café  =====------   50 %")
    }

    @Test func emptyDetailsTakeNoRoom() {
        let block = block(details: ["24.1 of 62.6 MB", "", "3 s left"])
        #expect(line(block, 80) == " ⠙ 6 files  ━━━━━━━━━╾───────────────   38 %  24.1 of 62.6 MB  3 s left")
    }

    @Test func theSecondOfTwoDetailsIsDropped() {
        var block = block(percent: nil)
        block.main.details = ["first", "second"]
        #expect(line(block, 28) == " ⠙ 6 files  first")
    }

    @Test func aColumnKeepsItsReservedWidth() {
        var block = block()
        block.reserved.extend(
            to: [.init("6 files", details: ["624.1 of 932.6 MB", "113 MB/s", "12 s left"])], isUTF8: true)
        #expect(line(block, 80) == " ⠙ 6 files  ━━━━╾───────   38 %    24.1 of 62.6 MB   13 MB/s   3 s left")
    }

    @Test func theCursorHasAColumnOfItsOwn() {
        #expect(line(block(percent: nil, details: []), 5) == " ⠙")
        var still = block(percent: nil)
        still.pictures = []
        #expect(line(still, 80) == " 6 files")
    }

    // MARK: Names that aren't ASCII

    @Test func aColumnAfterAWideNameHasAnAbsolutePosition() {
        let family = "👩‍👩‍👧‍👦.mp4"
        #expect(line(block(family, details: []), 34).hasPrefix(" ⠙ \(family)\u{200E}\u{1B}[K\u{1B}[16G   38 %"))
        #expect(line(block(family, percent: nil, details: []), 34) == " ⠙ \(family)")
    }

    @Test(arguments: ["קובץ.mp4", "ملف.mp4"])
    func numbersStayBehindARightToLeftName(name: String) {
        #expect(line(block(name, details: []), 80).hasPrefix(" ⠙ \(name)\u{200E}\u{1B}[K"))
    }

    // MARK: Colors

    @Test func colors() {
        let (accent, grey, end) = ("\u{1B}[35m", "\u{1B}[2m", "\u{1B}[39m")
        #expect(
            line(block(percent: 50, isColored: true), 63)
                == " \(accent)⠙\(end) 6 files  \(accent)━━━━\(end)\(grey)────\u{1B}[22m   50 %"
                + "  \(grey)24.1 of 62.6 MB\u{1B}[22m  3 s left")
        #expect(line(block(percent: 100, details: [], isColored: true), 32).contains("\u{1B}[32m━━━━━━\(end)  100 %"))
        var still = block(isColored: true)
        still.pictures = []
        #expect(line(still, 80) == " \(grey)6 files\u{1B}[22m")
        var total = block(percent: 50, details: [], isColored: true)
        total.rows = ["film.mp4"]
        #expect(line(total, 80).contains(" \u{1B}[1m6 files\u{1B}[22m   "))
        #expect(line(total, 80).hasSuffix("   \u{1B}[1m50 %\u{1B}[22m"))
    }
}
