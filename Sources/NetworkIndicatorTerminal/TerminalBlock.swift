/// What an indicator shows. `drawing(columns:height:picture:)` fits it into a window, and depends on nothing else.
package struct TerminalBlock: Sendable, Equatable {
    /// The pictures of the spinner, in colour.
    private let pictures: [String]
    private let pictureCells: Int
    package var main: TerminalIndicator.Row
    package var rows: [TerminalIndicator.Row] = []
    package var reserved = TerminalTable.Reserved()
    package var colors: TerminalColors
    package var progress: TerminalProgress

    package init(
        _ pictures: [String], _ main: TerminalIndicator.Row, colors: TerminalColors, progress: TerminalProgress = .none,
        isPaused: Bool = false
    ) {
        let texts = pictures.map { TerminalText($0, isUTF8: colors.isUTF8) }
        let widest = texts.map(\.cells).max() ?? 0
        self.pictures = texts.map { (isPaused ? colors.secondary : colors.accent)($0.text + blank(widest - $0.cells)) }
        pictureCells = widest
        (self.main, self.colors, self.progress) = (main, colors, progress)
    }

    // MARK: Lines of an indicator that doesn't draw

    package var plainName: String { TerminalText(main.name, isUTF8: colors.isUTF8).text }

    package var plainText: String {
        let numbers = [main.percent.map { "\($0) %" }, main.amount, main.rate, main.time].compactMap { $0 }
        let text = numbers.filter { !$0.isEmpty }.joined(separator: ", ")
        return text.isEmpty || main.name.isEmpty
            ? plainName : TerminalText("\(main.name): \(text)", isUTF8: colors.isUTF8).text
    }

    // MARK: The drawing

    /// The frame of a block of which only the picture changes.
    func frame(picture index: Int, columns: Int) -> String {
        picture(at: index, columns: columns).map { "\r \($0)\r" } ?? ""
    }

    /// The picture at this index modulo the number of pictures, or `nil` if it doesn't fit in the window.
    private func picture(at index: Int, columns: Int) -> String? {
        pictureCells <= cells(in: columns) ? pictures[index % pictures.count] : nil
    }

    /// The number of cells after the blank column in which the cursor rests. If the window becomes narrower than a row,
    /// the wrapped part may stay on the screen, so rows leave some columns free. Several rows leave more parts behind.
    private func cells(in columns: Int) -> Int {
        columns - 2 - min(reserved.isTable || !rows.isEmpty ? 8 : 2, columns / 20)
    }

    /// - Parameter picture: The picture to draw is at this index modulo the number of pictures.
    /// - Returns: The lines, and the width of the longest one.
    package func drawing(columns: Int, height: Int, picture: Int = 0) -> (lines: [String], cells: Int) {
        guard columns > 2 else { return ([""], 0) }
        let picture = self.picture(at: picture, columns: columns)
        let (start, glyphCells) = (" " + (picture ?? ""), picture == nil ? 0 : pictureCells)
        guard columns >= 10 else { return ([start], 1 + glyphCells) }

        let lead = glyphCells > 0 ? glyphCells + 2 : 1
        let count = visibleRowCount(columns: columns, height: height)
        var reserved = reserved
        reserved.extend(to: [main] + rows)
        let table = TerminalTable(
            [main] + rows.prefix(count), reserved: reserved, lead: lead, limit: cells(in: columns) + 1, colors: colors)
        let label = table.line(at: 0)
        var lines = [label.isEmpty ? start : start + (glyphCells > 0 ? " " : "") + label]
        for index in 0..<count { lines.append(blank(lead) + table.line(at: index + 1)) }
        if count > 0, count < rows.count {
            lines.append(blank(lead) + colors.secondary("+\(rows.count - count) more"))
        }
        return (lines, table.cells)
    }

    /// The block leaves one line of the window free. If not all rows fit, the last line of the block counts the others.
    private func visibleRowCount(columns: Int, height: Int) -> Int {
        columns < 20 ? 0 : rows.count <= height - 2 ? rows.count : max(0, height - 3)
    }
}

func blank(_ count: Int) -> String { String(repeating: " ", count: count) }

extension TerminalIndicator.Row {
    /// `nil` if the fraction is unknown. Only a fraction of 1 is 100 %.
    var percent: Int? {
        // A product such as `0.29 * 100` is slightly below the whole number.
        fraction.flatMap { $0.isNaN ? nil : $0 >= 1 ? 100 : min(99, Int(max($0, 0) * 100 + 1e-9)) }
    }

    /// The end of a file name shows the type of the file, so a file name is cut in the middle.
    var isFileName: Bool { name.contains(".") && !name.contains(" ") }
}
