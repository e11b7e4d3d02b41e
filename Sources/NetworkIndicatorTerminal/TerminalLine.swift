/// The indicator's row on the terminal, not yet cut to any width.
package struct TerminalLine: Sendable, Equatable {
    /// The spinner's picture; empty in a still row.
    package var glyph: TerminalText
    package var label: String
    /// The progress on the row, from 0 to 100; `nil` if it is unknown.
    package var percent: Int?
    /// The progress of this frame, for the terminal's progress bar. The row's percentage changes less often.
    package var currentPercent: Int?
    package var details: [TerminalIndicator.Detail] = []
    /// The cells reserved for each detail. A detail that becomes shorter keeps them, so that the columns don't move.
    package var reservedCells: [Int] = []
    /// Further rows below the main one.
    package var rows: [String] = []
    package var style: TerminalStyle
    /// Whether the cursor stays visible, in a separate column.
    package var showsCursor = false
    /// Whether the row is grey and has no spinner.
    package var isStill = false
    package var progress: TerminalProgress
    /// Whether the terminal's progress bar shows an error.
    package var hasFailed = false

    package init(glyph: String, label: String, style: TerminalStyle, progress: TerminalProgress = .none) {
        self.glyph = TerminalText(picture: glyph, isUTF8: style.isUTF8)
        self.label = label
        self.style = style
        self.progress = progress
    }

    /// What the terminal's progress bar shows.
    package var progressState: TerminalProgress.State {
        let percent = currentPercent ?? percent
        if hasFailed { return .failed(percent ?? 100) }
        return percent.map { .percent($0) } ?? .indeterminate
    }

    /// Whether there is nothing to draw.
    package var isEmpty: Bool { glyph.text.isEmpty && label.isEmpty }

    /// Returns the main row without cursor codes, cut so that it ends before the last column.
    ///
    /// - Parameter columns: The terminal's width; 0 means unknown, and counts as 80. Under 10, a row with a
    ///   spinner shows only the spinner.
    package func text(columns: Int) -> String {
        let (columns, indent, glyph) = parts(columns: columns)
        let start = indent + style.accent(glyph.text)
        if isStill {
            let text = TerminalText(label, cells: columns - 1 - indent.count, isUTF8: style.isUTF8).text
            return start + style.secondary(text)
        }
        guard columns >= 10 else { return start }
        let gap = glyph.cells > 0 ? " " : ""
        let rest = layout(
            cells: columns - 1 - indent.count - glyph.cells - gap.count, barCells: columns >= 100 ? 20 : 10)
        return rest.isEmpty ? start : start + gap + rest
    }

    /// The beginning of the main row, up to the spinner's picture.
    package func picture(columns: Int) -> String {
        let (_, indent, glyph) = parts(columns: columns)
        return indent + style.accent(glyph.text)
    }

    /// Whether the rows have the same text, so that drawing the spinner's picture is enough. The terminal's progress bar may
    /// differ.
    package func hasSameText(as other: TerminalLine) -> Bool {
        guard glyph.cells == other.glyph.cells else { return false }
        var other = other
        other.glyph = glyph
        other.progress = progress
        other.currentPercent = currentPercent
        other.hasFailed = hasFailed
        return self == other
    }

    private func parts(columns: Int) -> (columns: Int, indent: String, glyph: TerminalText) {
        let columns = columns > 0 ? columns : 80
        let indent = showsCursor && columns > 2 ? " " : ""
        let cells = columns - 1 - indent.count
        let glyph = glyph.cells <= cells ? glyph : TerminalText(picture: glyph.text, cells: cells)
        return (columns, indent, glyph)
    }

    /// Returns the rows below the main one, cut to the window's width, or none if the window is too small for all of
    /// them.
    package func rows(columns: Int, height: Int) -> [String] {
        guard columns >= 40, height >= rows.count + 2 else { return [] }
        return rows.map { TerminalText($0, cells: columns - 1, isUTF8: style.isUTF8).text }
    }

    /// The label alone, for a log.
    package var plainText: String { TerminalText(label, cells: 1000, isUTF8: style.isUTF8).text }

    /// Returns the text after the glyph. If it is too long, the bar is dropped first, then the details with the lowest
    /// priority. Then the label is cut, and finally the percentage is dropped.
    private func layout(cells: Int, barCells: Int) -> String {
        let fullLabel = TerminalText(label, cells: cells, isUTF8: style.isUTF8)
        let percentText = percent.map { " \($0 < 10 ? " " : "")\($0) %" } ?? ""
        var columns = details.enumerated().filter { !$1.text.isEmpty }.map { index, detail in
            let text = TerminalText(detail.text, cells: cells, isUTF8: style.isUTF8)
            let reserved = index < reservedCells.count ? reservedCells[index] : 0
            return (text: text.text, cells: max(text.cells, reserved) + 2, priority: detail.priority)
        }
        var free = cells - fullLabel.cells - percentText.count - columns.reduce(0) { $0 + $1.cells }
        let hasBar = percent != nil && free >= barCells + 1
        while free < 0, let lowest = columns.map(\.priority).min(),
            let index = columns.lastIndex(where: { $0.priority == lowest })
        {
            free += columns.remove(at: index).cells
        }
        let end = columns.map { "  \($0.text)" }.joined()
        if free >= 0 {
            return fullLabel.text + (hasBar ? " " + bar(cells: barCells) : "") + percentText + end
        }
        let room = cells - percentText.count
        return room < 8 ? fullLabel.text : TerminalText(label, cells: room, isUTF8: style.isUTF8).text + percentText
    }

    /// The bar, in steps of half a cell.
    private func bar(cells: Int) -> String {
        let halves = (percent ?? 0) * cells * 2 / 100
        let full = halves / 2
        guard style.isUTF8 else {
            return style.accent(String(repeating: "=", count: full))
                + style.secondary(String(repeating: "-", count: cells - full))
        }
        let half = halves % 2 == 1 ? "╾" : ""
        return style.accent(String(repeating: "━", count: full) + half)
            + style.secondary(String(repeating: "─", count: cells - full - half.count))
    }
}
