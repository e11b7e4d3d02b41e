/// A text cut to a number of cells, without control characters.
package struct TerminalText: Sendable, Equatable {
    package private(set) var text = ""
    package private(set) var cells = 0

    /// - Parameters:
    ///   - string: The whole text.
    ///   - limit: The largest number of cells that it may take.
    ///   - isMarked: Whether a text that is cut ends in an ellipsis.
    ///   - isUTF8: Whether characters beyond ASCII can be written. In other locales, their bytes would be other
    ///     characters or controls.
    package init(_ string: String, cells limit: Int, isMarked: Bool = true, isUTF8: Bool) {
        guard limit > 0 else { return }
        if string.utf8.count <= limit, string.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
            (text, cells) = (string, string.utf8.count)
            return
        }
        var shown = String.UnicodeScalarView()
        // The number of scalars is limited too, because a label may be very long, or be one letter with many marks.
        let examined = string.unicodeScalars.prefix(limit * 16)
        for scalar in examined.lazy.filter(Self.isShown) { shown.append(isUTF8 || scalar.isASCII ? scalar : "?") }
        let ellipsis = !isMarked ? "" : isUTF8 ? "…" : "..."
        // The longest beginning that leaves room for the ellipsis.
        var cut = (text: "", cells: 0)
        for character in String(shown) {
            let width = CellWidth.of(character)
            guard cells + width <= limit else {
                end(cut, with: ellipsis, limit)
                return
            }
            text.append(character)
            cells += width
            if cells + ellipsis.count <= limit { cut = (text, cells) }
        }
        if examined.endIndex < string.unicodeScalars.endIndex { end(cut, with: ellipsis, limit) }
    }

    /// A spinner's picture. If it is cut, it gets no ellipsis.
    package init(picture: String, cells limit: Int = 1000, isUTF8: Bool = true) {
        self.init(picture, cells: limit, isMarked: false, isUTF8: isUTF8)
    }

    private mutating func end(_ cut: (text: String, cells: Int), with ellipsis: String, _ limit: Int) {
        let end = ellipsis.prefix(limit)
        (text, cells) = (cut.text + end, cut.cells + end.count)
    }

    /// Drops controls, line breaks, and the formatting characters that reorder or hide text. Joiners and emoji tags stay:
    /// they belong to the character before them.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}" || (0xE0020...0xE007F).contains(scalar.value)
        default: true
        }
    }
}
