/// The indicator's row on the terminal, not yet cut to any width.
package struct TerminalLine: Sendable {
    /// The spinner's picture; empty in a still row.
    package var glyph: String
    package var label: String
    /// The progress, from 0 to 100; `nil` where it is unknown.
    package var percent: Int?
    package var details: [TerminalIndicator.Detail] = []
    /// Further rows below the main one.
    package var rows: [String] = []
    package var style: TerminalStyle
    /// Whether the cursor stays visible, in a column of its own.
    package var showsCursor = false
    /// Whether the row stands still, in grey.
    package var isStill = false
    package var progress: TerminalProgress
    /// Whether the terminal's progress bar shows an error.
    package var hasFailed = false

    package init(glyph: String, label: String, style: TerminalStyle, progress: TerminalProgress = .none) {
        self.glyph = glyph
        self.label = label
        self.style = style
        self.progress = progress
    }

    /// What the terminal's progress bar shows.
    package var progressState: TerminalProgress.State {
        if hasFailed { return .failed(percent ?? 100) }
        return percent.map { .percent($0) } ?? .indeterminate
    }

    /// Whether there is nothing to draw.
    package var isEmpty: Bool { glyph.isEmpty && label.isEmpty }

    /// The main row without cursor codes, cut so that it ends before the last column.
    ///
    /// - Parameter columns: The terminal's width; 0 stands for unknown and means 80. Under 10 the glyph is all there is.
    package func text(columns: Int) -> String {
        let columns = columns > 0 ? columns : 80
        let indent = showsCursor && columns > 2 ? 1 : 0
        if isStill {
            let text = TerminalText(label, cells: columns - 1 - indent, isUTF8: style.isUTF8).text
            return String(repeating: " ", count: indent) + style.secondary(text)
        }
        let glyph = TerminalText(glyph, cells: columns - 1 - indent, isMarked: false, isUTF8: style.isUTF8)
        let start = String(repeating: " ", count: indent) + style.accent(glyph.text)
        guard columns >= 10 else { return start }
        let gap = glyph.cells > 0 ? " " : ""
        let rest = layout(cells: columns - 1 - indent - glyph.cells - gap.count, barCells: columns >= 100 ? 20 : 10)
        return rest.isEmpty ? start : start + gap + rest
    }

    /// The rows below the main one, cut to the window's width; none where the window is too small for all of them.
    package func rows(columns: Int, height: Int) -> [String] {
        guard columns >= 40, height >= rows.count + 2 else { return [] }
        return rows.map { TerminalText($0, cells: columns - 1, isUTF8: style.isUTF8).text }
    }

    /// The label by itself, for a log.
    package var plainText: String { TerminalText(label, cells: 1000, isUTF8: style.isUTF8).text }

    /// Everything behind the glyph. The bar is dropped first, then the details, the lowest priority first; then the label
    /// is cut.
    private func layout(cells: Int, barCells: Int) -> String {
        let fullLabel = TerminalText(label, cells: cells, isUTF8: style.isUTF8)
        let percentText = percent.map { " \($0 < 10 ? " " : "")\($0) %" } ?? ""
        var columns = details.map { TerminalText($0.text, cells: cells, isUTF8: style.isUTF8) }
        var priorities = details.map(\.priority)
        var free = cells - fullLabel.cells - percentText.count - columns.reduce(0) { $0 + $1.cells + 2 }
        let hasBar = percent != nil && free >= barCells + 1
        while free < 0, let lowest = priorities.min(), let index = priorities.lastIndex(of: lowest) {
            free += columns.remove(at: index).cells + 2
            priorities.remove(at: index)
        }
        let end = columns.map { "  \($0.text)" }.joined()
        if free >= 0 {
            return fullLabel.text + (hasBar ? " " + bar(cells: barCells) : "") + percentText + end
        }
        let room = cells - percentText.count
        return room < 8 ? fullLabel.text : TerminalText(label, cells: room, isUTF8: style.isUTF8).text + percentText
    }

    /// In steps of half a cell.
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
