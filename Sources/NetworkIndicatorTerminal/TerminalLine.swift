/// What stands on the terminal's line: a glyph and a label, not yet cut to any width.
package struct TerminalLine: Sendable {
    package var glyph: String
    package var label: String
    package var isColored: Bool
    /// Whether anything beyond ASCII can be written: in other locales its bytes would be other characters, or controls.
    package var isUTF8: Bool
    package var progress: TerminalProgress

    package init(glyph: String, label: String, isColored: Bool, isUTF8: Bool, progress: TerminalProgress) {
        self.glyph = glyph
        self.label = label
        self.isColored = isColored
        self.isUTF8 = isUTF8
        self.progress = progress
    }

    /// The line without cursor codes, cut so that it ends before the last column: whole characters only.
    ///
    /// - Parameter columns: The terminal's width; 0 stands for unknown and means 80. Under 10 the glyph is all there is.
    /// - Returns: The text, colour codes included, and how many cells it takes.
    package func text(columns: Int) -> (text: String, cells: Int) {
        let columns = columns > 0 ? columns : 80
        var glyph = Cut(glyph, cells: columns - 1, isUTF8: isUTF8)
        if isColored, glyph.cells > 0 { glyph.text = "\u{1B}[36m\(glyph.text)\u{1B}[39m" }
        guard columns >= 10 else { return (glyph.text, glyph.cells) }
        let label = Cut(label, cells: columns - 2 - glyph.cells, isUTF8: isUTF8)
        guard label.cells > 0 else { return (glyph.text, glyph.cells) }
        return ("\(glyph.text) \(label.text)", glyph.cells + 1 + label.cells)
    }

    /// The label by itself, for a log.
    package var plainText: String { Cut(label, cells: 1000, isUTF8: isUTF8).text }

    /// The beginning of a text: what of it can be shown, in so many cells at most.
    private struct Cut {
        var text = ""
        var cells = 0

        init(_ string: String, cells limit: Int, isUTF8: Bool) {
            guard limit > 0 else { return }
            var shown = String.UnicodeScalarView()
            // No more scalars than that are looked at: a label may be of any length, or one letter under endless marks.
            for scalar in string.unicodeScalars.prefix(limit * 16).lazy.filter(Self.isShown) {
                shown.append(isUTF8 || scalar.isASCII ? scalar : "?")
            }
            for character in String(shown) {
                let width = CellWidth.of(character)
                guard cells + width <= limit else { return }
                text.append(character)
                cells += width
            }
        }

        /// Drops what could do anything but appear: controls, line breaks, and the formatting characters that reorder or
        /// hide text. Joiners and emoji tags stay: they belong to the character before them.
        private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            case .format: scalar == "\u{200C}" || scalar == "\u{200D}" || (0xE0020...0xE007F).contains(scalar.value)
            default: true
            }
        }
    }
}
