/// The contents of the indicator's rows, not yet cut to the window's width.
package struct TerminalLine: Sendable, Equatable {
    package var glyph: TerminalText
    /// If this array isn't empty, the screen shows its pictures in turn instead of `glyph`.
    package var pictures: [Picture] = []
    package var label: String
    package var percent: Int?
    package var details: [TerminalIndicator.Detail] = []
    /// If a detail becomes shorter, its earlier width stays reserved, so that the bar keeps its length.
    package var reservedCells: [Int] = []
    package var rows: [TerminalIndicator.Row] = []
    package var style: TerminalStyle
    /// Whether the row shows `idleText`.
    package var isStill = false
    package var progress: TerminalProgress

    package init(glyph: String, label: String, style: TerminalStyle, progress: TerminalProgress = .none) {
        self.glyph = TerminalText(picture: glyph, isUTF8: style.isUTF8)
        self.label = label
        self.style = style
        self.progress = progress
    }

    package var progressState: TerminalProgress.State {
        percent.map { .percent($0) } ?? .indeterminate
    }

    package var isEmpty: Bool { glyph.text.isEmpty && label.isEmpty }

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

    package struct Picture: Sendable, Equatable {
        let text: TerminalText
        let frame: [UInt8]

        package init(_ picture: String, style: TerminalStyle) {
            text = TerminalText(picture: picture, isUTF8: style.isUTF8)
            frame = Array("\r \(style.accent(text.text))\r".utf8)
        }

        func fits(columns: Int) -> Bool {
            let room = Room(columns: columns)
            return room.columns > 2 && text.cells <= room.cells
        }
    }

    /// Pads the pictures to the same width, so that the text beside the spinner doesn't move.
    static func pictures(_ frames: [String], _ style: TerminalStyle) -> [Picture] {
        let cells = frames.map { TerminalText(picture: $0, isUTF8: style.isUTF8).cells }
        let widest = cells.max() ?? 0
        return zip(frames, cells).map { Picture($0 + blank(widest - $1), style: style) }
    }

    struct Room {
        let columns: Int
        /// The blank column in which the cursor rests.
        let indent: String
        let cells: Int

        init(columns: Int) {
            self.columns = columns > 0 ? columns : 80
            indent = self.columns > 2 ? " " : ""
            cells = self.columns - 1 - indent.count - TerminalLine.freeColumns(of: self.columns)
        }
    }

    /// If the window becomes narrower than a row, the wrapped part may stay on the screen, so rows leave some columns
    /// free.
    static func freeColumns(of columns: Int) -> Int { min(8, columns / 5) }

    private func shownGlyph(_ room: Room) -> TerminalText {
        glyph.cells <= room.cells ? glyph : TerminalText(picture: glyph.text, cells: room.cells)
    }

    package var plainText: String { TerminalText(label, cells: 1000, isUTF8: style.isUTF8).text }

    /// If the row is too long, this method first cuts a label that is a file name, to no fewer than 24 cells. It then
    /// drops the bar, and then drops details. After that, it cuts the label. If fewer than four cells remain for the
    /// label, it drops the percentage. Once all details are dropped, a bar that fits is drawn again.
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
        // The gap reserves the width of `100 %`, so that the bar keeps its length at 100 %.
        let gap = String(repeating: " ", count: 6 - percentText.count)
        let room = free - 1 - gap.count
        let hasBar = room >= 10 && (columns.isEmpty || columns.count == details.count { !$0.text.isEmpty })
        let bar =
            percent.map { !hasBar ? "" : " " + self.bar($0, cells: min(room, Self.longestBar)) + gap }
            ?? ""
        return fullLabel.text + bar + percentText + columns.map { "  \($0.texts[0].text)" }.joined()
    }

    /// A file name is cut in the middle, because its end shows the type of the file.
    private var isName: Bool { label.contains(".") && !label.contains(" ") }

    private func labelText(cells: Int) -> TerminalText {
        TerminalText(label, cells: cells, cut: isName ? .middle : .end, isUTF8: style.isUTF8)
    }

    static func text(ofPercent percent: Int) -> String { " \(percent < 10 ? " " : "")\(percent) %" }

    struct Column {
        var texts: [TerminalText]
        var cells: Int
        var priority: Int

        /// Returns the number of free cells, which may be negative.
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

    /// With 50 cells, each half cell of a heavy line shows one percent, so a longer bar would show no more detail.
    static let longestBar = 50

    func bar(_ percent: Int, cells: Int) -> String {
        let (line, half, rest) = style.hasSymbols ? ("━", "╾", "─") : ("=", "", "-")
        let halves = percent * cells * 2 / 100
        let full = String(repeating: line, count: halves / 2) + (halves % 2 == 1 ? half : "")
        return style.accent(full) + style.secondary(String(repeating: rest, count: cells - full.count))
    }
}
