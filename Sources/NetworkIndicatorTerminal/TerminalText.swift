import NetworkIndicator

package struct TerminalText: Sendable, Equatable {
    package private(set) var text = ""
    package private(set) var cells = 0

    /// - Parameter isUTF8: If `false`, `?` replaces each non-ASCII scalar, because its UTF-8 bytes might be control
    ///   codes in the locale's encoding.
    package init(_ string: String, cells limit: Int = 1000, cutsMiddle: Bool = false, isUTF8: Bool) {
        guard limit > 0 else { return }
        if string.utf8.count <= limit, string.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
            (text, cells) = (string, string.utf8.count)
            return
        }
        // A label may be very long, or consist of one letter with many combining marks, so the number of scalars is
        // limited.
        let examined = string.unicodeScalars.prefix(max(400, limit * 16))
        let characters = Self.shown(String(examined), isUTF8: isUTF8)
        let whole = Self.beginning(of: characters, limit)
        if whole.count == characters.count, examined.endIndex == string.unicodeScalars.endIndex {
            (text, cells) = (characters, whole.cells)
            return
        }
        let ellipsis = (isUTF8 ? "…" : "...").prefix(limit)
        let room = limit - ellipsis.count
        let end = Self.beginning(of: characters.reversed(), cutsMiddle ? room / 2 : 0)
        let start = Self.beginning(of: characters, room - end.cells)
        text = "\(characters.prefix(start.count))\(ellipsis)\(characters.suffix(end.count))"
        cells = start.cells + ellipsis.count + end.cells
    }

    /// Whether all terminals draw this text in `cells` columns, from left to right.
    var isPlain: Bool { text.unicodeScalars.allSatisfy { $0.value < 0x300 || $0 == "…" } }

    /// The largest number of characters at the beginning that take at most `limit` cells, and their width.
    private static func beginning(of characters: some Sequence<Character>, _ limit: Int) -> (count: Int, cells: Int) {
        var (count, cells) = (0, 0)
        for character in characters {
            let width = CellWidth.of(character)
            guard cells + width <= limit else { break }
            (count, cells) = (count + 1, cells + width)
        }
        return (count, cells)
    }

    /// Drops formatting characters, because they may reorder or hide text. Joiners and emoji tags stay, because some
    /// scripts and emoji need them.
    private static func shown(_ text: String, isUTF8: Bool) -> String {
        var text = text
        if text.unicodeScalars.contains(where: { $0 == "\u{1B}" || (0x90...0x9F).contains($0.value) }) {
            // Sequences that set a title or a link end with BEL or ST.
            let strings = #/(?:\x1B[PX\]^_]|[\x{90}\x{98}\x{9D}-\x{9F}])[^\x07\x1B\x{9C}]*(?:\x07|\x1B\\|\x{9C})?/#
            let sequences = #/(?:\x1B\[|\x{9B})[ -?]*[@-~]?|\x1B[ -\/]*[0-~]?/#
            text.replace(strings.matchingSemantics(.unicodeScalar), with: "")
            text.replace(sequences.matchingSemantics(.unicodeScalar), with: "")
        }
        if text.contains(where: isBreak) { text = text.split(whereSeparator: isBreak).joined(separator: " ") }
        let shown = text.unicodeScalars.lazy.filter(isShown).map { isUTF8 || $0.isASCII ? $0 : "?" }
        return String(String.UnicodeScalarView(shown))
    }

    private static func isBreak(_ character: Character) -> Bool { character.isNewline || character == "\t" }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.properties.generalCategory == .format else { return scalar.isPrintable }
        return scalar == "\u{200C}" || scalar == "\u{200D}" || (0xE0020...0xE007F).contains(scalar.value)
    }
}
