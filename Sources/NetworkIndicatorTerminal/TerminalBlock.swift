/// What an indicator shows. `drawing(in:picture:)` fits it into a window, and depends on nothing else.
package struct TerminalBlock: Sendable, Equatable {
    /// The pictures of the spinner, which have the same width.
    package var pictures: [Picture]
    package var main: TerminalIndicator.Row
    package var rows: [TerminalIndicator.Row] = []
    /// The widths that the columns have had since the indicator turned on. If a text becomes shorter, its column keeps
    /// its width, so that the bars keep their length.
    package var reserved = TerminalTable.Cells()
    package var style: TerminalStyle
    /// Whether `main` is an idle text.
    package var isStill = false
    package var progress: TerminalProgress

    package init(
        glyph: String, _ main: TerminalIndicator.Row, style: TerminalStyle, progress: TerminalProgress = .none
    ) {
        self.init(pictures: [glyph], main, style: style, progress: progress)
    }

    init(
        pictures: [String], _ main: TerminalIndicator.Row, style: TerminalStyle, progress: TerminalProgress
    ) {
        let cells = pictures.map { TerminalText(picture: $0, isUTF8: style.isUTF8).cells }
        let widest = cells.max() ?? 0
        self.pictures = zip(pictures, cells).map { Picture($0 + blank(widest - $1), style: style) }
        self.main = main
        self.style = style
        self.progress = progress
    }

    package var progressState: TerminalProgress.State {
        main.percent.map { .percent($0) } ?? .indeterminate
    }

    package var isEmpty: Bool { pictures.allSatisfy { $0.text.text.isEmpty } && main.name.isEmpty }

    // MARK: Lines of an indicator that doesn't draw

    package var plainName: String { plain(main.name) }

    package var plainText: String {
        let numbers = (main.percent.map { ["\($0) %"] } ?? []) + main.details.map(\.text).filter { !$0.isEmpty }
        return plain(numbers.isEmpty ? main.name : "\(main.name): \(numbers.joined(separator: ", "))")
    }

    private func plain(_ text: String) -> String { TerminalText(text, cells: 1000, isUTF8: style.isUTF8).text }

    // MARK: The drawing

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

    struct Room {
        let columns: Int
        /// The blank column in which the cursor rests.
        let indent: String
        let cells: Int

        init(columns: Int) {
            self.columns = columns > 0 ? columns : 80
            indent = self.columns > 2 ? " " : ""
            // If the window becomes narrower than a row, the wrapped part may stay on the screen, so rows leave some
            // columns free.
            cells = self.columns - 1 - indent.count - min(8, self.columns / 5)
        }
    }

    package struct Drawing: Equatable {
        package var lines: [String] = []
        /// The width of the longest line.
        package var cells = 0
    }

    /// - Parameter picture: The picture to draw is at this index modulo the number of pictures.
    package func drawing(columns: Int, height: Int, picture: Int = 0) -> Drawing {
        let room = Room(columns: columns)
        if isStill {
            let text = TerminalText(main.name, cells: room.cells, isUTF8: style.isUTF8)
            return Drawing(lines: [room.indent + style.secondary(text.text)], cells: room.indent.count + text.cells)
        }
        var glyph = pictures.isEmpty ? TerminalText(picture: "") : pictures[picture % pictures.count].text
        if glyph.cells > room.cells { glyph = TerminalText(picture: glyph.text, cells: room.cells) }
        let start = room.indent + style.accent(glyph.text)
        let lead = room.indent.count + glyph.cells + (glyph.cells > 0 ? 1 : 0)
        guard room.columns >= 10 else { return Drawing(lines: [start], cells: room.indent.count + glyph.cells) }

        let count = visibleRowCount(columns: room.columns, height: height)
        let table = TerminalTable(
            [main] + rows.prefix(count), reserved: reserved, lead: lead, cells: room.cells + room.indent.count,
            style: style)
        let label = table.line(at: 0, isTotal: !rows.isEmpty)
        var lines = [label.isEmpty ? start : start + blank(lead - room.indent.count - glyph.cells) + label]
        for index in 0..<count { lines.append(blank(lead) + table.line(at: index + 1)) }
        if count > 0, count < rows.count {
            let text = "\(style.isUTF8 ? "…" : "...") \(rows.count - count) more"
            lines.append(blank(lead) + style.secondary(text))
        }
        return Drawing(lines: lines, cells: table.cells)
    }

    /// The block leaves one line of the window free. If not all rows fit, the last line of the block counts the others.
    private func visibleRowCount(columns: Int, height: Int) -> Int {
        guard columns >= 20 else { return 0 }
        return rows.count <= height - 2 ? rows.count : max(0, height - 3)
    }
}

func blank(_ count: Int) -> String { String(repeating: " ", count: count) }

extension TerminalIndicator.Row {
    /// `nil` if the fraction is unknown.
    var percent: Int? {
        guard let fraction, !fraction.isNaN else { return nil }
        return Int(min(max(fraction, 0), 1) * 100 + 1e-9)
    }

    /// The end of a file name shows the type of the file, so a file name is cut in the middle.
    var isFileName: Bool { name.contains(".") && !name.contains(" ") }
}
