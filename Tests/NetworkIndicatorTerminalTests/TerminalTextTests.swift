import Testing

@testable import NetworkIndicatorTerminal

@Suite struct TerminalTextTests {
    private func line(_ label: String, glyph: String = "*", columns: Int, isUTF8: Bool = true) -> String {
        TerminalBlock([glyph], .init(label), colors: TerminalColors(usesColor: false, isUTF8: isUTF8))
            .drawing(columns: columns, height: 24).lines[0]
    }

    private func text(_ label: String, columns: Int) -> String {
        let text = line(label, columns: columns)
        #expect(columns < 3 || text.hasPrefix(" "))
        return String(text.drop { $0 == " " })
    }

    // MARK: Widths

    @Test(
        arguments: [
            ("a", 1), (" ", 1), ("é", 1), ("e\u{301}", 1), ("e\u{301}\u{302}\u{20DD}", 1), ("ß", 1), ("Ж", 1), ("⠋", 1),
            ("…", 1), ("→", 1), ("\u{AD}", 0), ("\u{200B}", 0), ("\u{301}", 0), ("日", 2), ("ｱ", 1), ("Ａ", 2), ("한", 2),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("、", 2), ("\u{3000}", 2), ("𠀀", 2), ("𗀀", 2), ("😀", 2), ("⌚", 2),
            ("☂", 1),
            ("☂\u{FE0F}", 2), ("⌚\u{FE0F}", 2), ("☂\u{FE0E}", 1), ("1\u{FE0F}\u{20E3}", 2), ("नि", 2),
            // Terminals disagree about joined emoji, so the largest width counts.
            ("👍🏽", 4), ("👩‍🚀", 4), ("👩‍👩‍👧‍👦", 8), ("❤️‍🔥", 4), ("🇩🇪", 4), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
        ] as [(Character, Int)])
    func widths(character: Character, cells: Int) {
        #expect(CellWidth.of(character) == cells)
    }

    // MARK: Cutting

    @Test(arguments: [
        ("0123456789", 10, "0123456789"), ("0123456789", 9, "01234567…"), ("0123456789", 1, "…"), ("0123456789", 0, ""),
        ("日本語日本語", 12, "日本語日本語"), ("日本語日本語", 11, "日本語日本…"), ("日本語日本語", 10, "日本語日…"),
        ("0123456👩‍👩‍👧‍👦", 15, "0123456👩‍👩‍👧‍👦"), ("0123456👩‍👩‍👧‍👦", 14, "0123456…"),
        ("01234e\u{301}e\u{301}e\u{301}", 7, "01234e\u{301}…"), ("", 10, ""),
    ])
    func theEndIsCutBetweenCharacters(label: String, cells: Int, text: String) {
        #expect(TerminalText(label, cells: cells, isUTF8: true).text == text)
    }

    @Test func aNameIsCutInTheMiddle() {
        func cut(_ name: String, _ cells: Int, isUTF8: Bool = true) -> String {
            TerminalText(name, cells: cells, cutsMiddle: true, isUTF8: isUTF8).text
        }
        #expect(cut("swift-6.3-RELEASE.tar.gz", 24) == "swift-6.3-RELEASE.tar.gz")
        #expect(cut("swift-6.3-RELEASE.tar.gz", 15) == "swift-6….tar.gz")
        #expect(cut("swift-6.3-RELEASE.tar.gz", 15, isUTF8: false) == "swift-...tar.gz")
        #expect(cut("日本語のファイル.zip", 11) == "日本語….zip")
    }

    @Test func longMarksAndLabelsAreCut() {
        let marks = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(text(marks, columns: 20).utf8.count < 1000)
        let label = String(repeating: "x", count: 1_000_000)
        #expect(text(label, columns: 20) == "* \(label.prefix(14))…")
        // `TerminalText` examines at most 400 scalars of this label.
        #expect(text(String(repeating: "\u{7}", count: 1_000_000) + "x", columns: 20) == "* …")
    }

    // MARK: Dropped characters

    @Test(arguments: [
        "\u{7}", "\u{8}", "\0", "\u{7F}", "\u{202E}", "\u{2066}\u{2069}", "\u{FEFF}", "\u{1B}", "\u{1B}[2J",
        "\u{1B}[38;5;63m", "\u{1B}[?25l", "\u{1B}[ q", "\u{9B}31m",
        "\u{1B}(B",
        "\u{1B}7", "\u{1B}]0;title\u{7}", "\u{1B}]8;;http://host/\u{1B}\\", "\u{9D}0;title\u{9C}",
        "\u{1B}P1$r0m\u{1B}\\",
        "\u{1B}_app\u{1B}\\\u{1B}[1m",
    ])
    func controlsAndWholeSequencesAreDropped(control: String) {
        #expect(text("Ab\(control)日本", columns: 40) == "* Ab日本")
        #expect(line("", glyph: control + "日", columns: 40) == " 日")
    }

    @Test(arguments: ["\r", "\n", "\r\n", "\t", "\u{85}", "\u{2028}", "\u{2029}", "\n\n"])
    func lineBreaksBecomeSpaces(lineBreak: String) {
        #expect(text("Ab\(lineBreak)日本\(lineBreak)", columns: 40) == "* Ab 日本")
    }

    @Test(arguments: [
        ("ab\u{1B}[31", "ab"), ("ab\u{1B}]0;title", "ab"), ("می\u{200C}خواهم 👩‍🚀", "می\u{200C}خواهم 👩‍🚀"),
    ])
    func unfinishedSequencesAreDroppedAndJoinersStay(label: String, shown: String) {
        #expect(text(label, columns: 40) == "* " + shown)
    }

    @Test func otherLocalesGetASCII() {
        #expect(line("naïve 日本", columns: 40, isUTF8: false) == " * na?ve ??")
        #expect(line("\u{9B}", columns: 40, isUTF8: false) == " *")
    }
}
