/// The contents of the indicator's row, not yet cut to the window's width.
package struct TerminalLine: Sendable, Equatable {
    /// The spinner's picture, which is empty in a still row.
    package var glyph: TerminalText
    /// The spinner's pictures, which the screen shows in turn. If the array is empty, `glyph` stays.
    package var pictures: [Picture] = []
    package var label: String
    /// The percentage from 0 to 100, or `nil` if it is unknown.
    package var percent: Int?
    package var details: [TerminalIndicator.Detail] = []
    /// The number of cells reserved for each detail. A detail that becomes shorter keeps its cells, so the columns
    /// don't move.
    package var reservedCells: [Int] = []
    /// The rows below the main row.
    package var rows: [TerminalIndicator.Row] = []
    package var style: TerminalStyle
    /// Whether the row is grey and has no spinner.
    package var isStill = false
    package var progress: TerminalProgress

    package init(glyph: String, label: String, style: TerminalStyle, progress: TerminalProgress = .none) {
        self.glyph = TerminalText(picture: glyph, isUTF8: style.isUTF8)
        self.label = label
        self.style = style
        self.progress = progress
    }

    /// The state to show on the terminal's progress bar.
    package var progressState: TerminalProgress.State {
        percent.map { .percent($0) } ?? .indeterminate
    }

    /// Whether there is nothing to draw.
    package var isEmpty: Bool { glyph.text.isEmpty && label.isEmpty }

    /// Returns the main row without cursor codes, cut to the window's width.
    ///
    /// - Parameter columns: The window's width, or 0 if it is unknown. An unknown width is treated as 80. If the width
    ///   is less than 10, a row with a spinner shows only the spinner.
    package func text(columns: Int) -> String {
        let room = Room(columns: columns)
        if isStill {
            return room.indent + style.secondary(TerminalText(label, cells: room.cells, isUTF8: style.isUTF8).text)
        }
        let glyph = shownGlyph(room)
        let start = room.indent + style.accent(glyph.text)
        guard room.columns >= 10 else { return start }
        let gap = glyph.cells > 0 ? " " : ""
        let rest = layout(cells: room.cells - glyph.cells - gap.count)
        return rest.isEmpty ? start : start + gap + rest
    }

    /// A picture of the spinner.
    package struct Picture: Sendable, Equatable {
        let text: TerminalText
        /// The bytes that draw this picture over the previous one.
        let frame: [UInt8]

        package init(_ picture: String, style: TerminalStyle) {
            text = TerminalText(picture: picture, isUTF8: style.isUTF8)
            frame = Array("\r \(style.accent(text.text))\r".utf8)
        }

        /// Returns whether the frame fits into a window.
        func fits(columns: Int) -> Bool {
            let room = Room(columns: columns)
            return room.columns > 2 && text.cells <= room.cells
        }
    }

    /// Returns the pictures, padded to the same width, so that the text beside the spinner doesn't move.
    static func pictures(_ frames: [String], _ style: TerminalStyle) -> [Picture] {
        let cells = frames.map { TerminalText(picture: $0, isUTF8: style.isUTF8).cells }
        let widest = cells.max() ?? 0
        return zip(frames, cells).map { Picture($0 + blank(widest - $1), style: style) }
    }

    /// The part of the window that a row may use.
    struct Room {
        /// The window's width.
        let columns: Int
        /// The blank column that the cursor rests in. It is empty if the window has at most two columns.
        let indent: String
        /// The number of cells that the row may use after the blank column.
        let cells: Int

        init(columns: Int) {
            self.columns = columns > 0 ? columns : 80
            indent = self.columns > 2 ? " " : ""
            cells = self.columns - 1 - indent.count - TerminalLine.freeColumns(of: self.columns)
        }
    }

    /// Returns the number of columns to leave free at the right. If the window becomes narrower than a row, the
    /// terminal wraps the row, and the wrapped part stays on the screen.
    static func freeColumns(of columns: Int) -> Int { min(8, columns / 5) }

    private func shownGlyph(_ room: Room) -> TerminalText {
        glyph.cells <= room.cells ? glyph : TerminalText(picture: glyph.text, cells: room.cells)
    }

    /// The label without the rest of the row, for a log.
    package var plainText: String { TerminalText(label, cells: 1000, isUTF8: style.isUTF8).text }

    /// Returns the text after the spinner's picture. If the text is too long, the bar is dropped first, then the
    /// details with the lowest priority. Then the label is cut, and finally the percentage is dropped.
    private func layout(cells: Int) -> String {
        let percentText = percent.map(Self.text(ofPercent:)) ?? ""
        var columns = details.enumerated().filter { !$1.text.isEmpty }.map { index, detail in
            let text = TerminalText(detail.text, cells: cells, isUTF8: style.isUTF8)
            let reserved = index < reservedCells.count ? reservedCells[index] : 0
            return Column(texts: [text], cells: max(text.cells, reserved) + 2, priority: detail.priority)
        }
        let needed = columns.reduce(percent == nil ? 0 : 6 + 11) { $0 + $1.cells }
        let fullLabel = labelText(cells: isName ? min(cells, max(24, cells - needed)) : cells)
        let free = Column.drop(&columns, toFree: 0, of: cells - fullLabel.cells - percentText.count)
        guard free >= 0 else {
            let labelCells = cells - percentText.count
            return labelCells < 4 ? fullLabel.text : labelText(cells: labelCells).text + percentText
        }
        // Beside a bar, the percentage always takes the width of `100 %`, so the bar doesn't become shorter at the end.
        let gap = String(repeating: " ", count: 6 - percentText.count)
        let room = free - 1 - gap.count
        let isWhole = columns.count == details.count { !$0.text.isEmpty }
        let bar =
            percent.map { room < 10 || !isWhole ? "" : " " + self.bar($0, cells: min(room, Self.longestBar)) + gap }
            ?? ""
        return fullLabel.text + bar + percentText + columns.map { "  \($0.texts[0].text)" }.joined()
    }

    /// Whether the label is treated as a file's name. A name is cut in the middle, because its end shows the type of
    /// the file. A name is cut to 24 cells before a column is dropped.
    private var isName: Bool { label.contains(".") && !label.contains(" ") }

    private func labelText(cells: Int) -> TerminalText {
        TerminalText(label, cells: cells, cut: isName ? .middle : .end, isUTF8: style.isUTF8)
    }

    static func text(ofPercent percent: Int) -> String { " \(percent < 10 ? " " : "")\(percent) %" }

    /// A column of one or more rows.
    struct Column {
        var texts: [TerminalText]
        /// The number of cells of the longest text and the gap before it.
        var cells: Int
        var priority: Int

        /// Drops columns until enough cells are free. Columns with the lowest priority are dropped first.
        ///
        /// - Returns: The number of free cells.
        static func drop(_ columns: inout [Column], toFree needed: Int, of cells: Int) -> Int {
            var free = cells - columns.reduce(0) { $0 + $1.cells }
            while free < needed, let lowest = columns.map(\.priority).min(),
                let index = columns.lastIndex(where: { $0.priority == lowest })
            {
                free += columns.remove(at: index).cells
            }
            return free
        }
    }

    /// The largest number of cells of a bar. Each half cell is one percent, so a longer bar would show no more detail.
    static let longestBar = 50

    /// Returns a bar that grows in steps of half a cell.
    func bar(_ percent: Int, cells: Int) -> String {
        let (line, half, rest) = style.hasSymbols ? ("━", "╾", "─") : ("=", "", "-")
        let halves = percent * cells * 2 / 100
        let full = String(repeating: line, count: halves / 2) + (halves % 2 == 1 ? half : "")
        return style.accent(full) + style.secondary(String(repeating: rest, count: cells - full.count))
    }
}
