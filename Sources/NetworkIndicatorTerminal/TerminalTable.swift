import Foundation

/// The main row and the rows below it as one table. Its columns are the name, a bar, the percentage, and the details.
///
/// As the window narrows, the table shortens the names and the bars, and then drops the details one by one, the bars
/// and the percentages. A narrower table never has a part that a wider one lacks.
package struct TerminalTable {
    /// The widths of the column of names and of the columns of details.
    package struct Cells: Sendable, Equatable {
        var name = 0
        var details: [Int] = []

        /// The widths of a total with its rate, and of the texts of a transfer: `24.1 of ~62.6 MB`, `250 kB/s` and
        /// `119 s left`.
        private static let typical = (name: 20, details: [16, 8, 10])

        /// Extends these widths to those of the rows' texts. Typical widths are reserved in advance, so that the bars
        /// keep their places when the first numbers appear.
        mutating func extend(to rows: [TerminalIndicator.Row], isTable: Bool) {
            func cells(_ text: String) -> Int { TerminalText(text, cells: 400, isUTF8: true).cells }
            name = max(name, isTable ? Self.typical.name : 0)
            for row in rows {
                name = max(name, cells(row.name))
                let typical = row.details.count < 3 ? [] : Self.typical.details
                for (index, detail) in row.details.enumerated() {
                    if index == details.count { details.append(0) }
                    details[index] = max(details[index], cells(detail), index < typical.count ? typical[index] : 0)
                }
            }
        }
    }

    private struct Parts {
        /// The indices of the details.
        var details: [Int] = []
        var hasPercentages = false
        var smallestName = 4
        var smallestBar = 0
    }

    private let rows: [TerminalIndicator.Row]
    private let isTable: Bool
    private let colors: TerminalColors
    private let lead: Int
    private var widths: Cells
    private var parts = Parts()
    private var names: [TerminalText] = []
    private var nameCells = 0
    private var barCells = 0
    /// The number of columns up to the end of the table.
    private(set) var cells: Int

    private static let gap = 2
    private static let percentCells = 5
    private static let bars = (shortest: 6, short: 10, medium: 12, longest: 40)

    /// - Parameters:
    ///   - isTable: Whether the main row is the total of other rows, even if those aren't shown.
    ///   - lead: The number of columns before the names.
    ///   - cells: The largest number of columns up to the end of the table.
    init(
        _ rows: [TerminalIndicator.Row], isTable: Bool, reserved: Cells, lead: Int, cells: Int, colors: TerminalColors
    ) {
        (self.rows, self.isTable, self.colors, self.lead, self.cells) = (rows, isTable, colors, lead, cells)
        // An earlier text that was very long doesn't cost a column.
        var current = Cells()
        current.extend(to: rows, isTable: isTable)
        widths = current
        let fewest = chooseParts().details.count
        widths = reserved
        widths.extend(to: rows, isTable: isTable)
        if chooseParts().details.count < fewest { widths = current }
        parts = chooseParts()
        let free = cells - lead - fixedCells(parts)
        nameCells = min(widths.name, parts.smallestBar > 0 ? max(parts.smallestName, free - Self.bars.medium) : free)
        if parts.smallestBar > 0 { barCells = min(Self.bars.longest, free - nameCells) }
        self.cells -= free - nameCells - barCells
        var further = rows.dropFirst().map(\.name)
        if further.contains(where: { text($0, cells: 400).cells > nameCells }) { further = distinct(further) }
        names = rows.prefix(1).map { text($0.name, cells: nameCells, cutsMiddle: $0.isFileName) }
        names += further.map { text($0, cells: nameCells, cutsMiddle: true) }
    }

    private func text(_ text: String, cells: Int, cutsMiddle: Bool = false) -> TerminalText {
        TerminalText(text, cells: cells, cutsMiddle: cutsMiddle, isUTF8: colors.isUTF8)
    }

    /// The parts that fit while the names and the bars have their smallest widths.
    private func chooseParts() -> Parts {
        let hasFraction = rows.contains { $0.percent != nil }
        func fits(_ parts: Parts) -> Bool {
            min(widths.name, parts.smallestName) + parts.smallestBar + fixedCells(parts) <= cells - lead
        }
        // The time is more useful than the bytes, and the bytes are more useful than the rate.
        let order = [2, 0, 1] + widths.details.indices.dropFirst(3)
        let details = order.filter { $0 < widths.details.count && widths.details[$0] > 0 }
        for count in (0...details.count).reversed() {
            var parts = Parts(details: details.prefix(count).sorted(), hasPercentages: hasFraction)
            // A total that has no column for its rate has the rate behind its name.
            parts.smallestName = (isTable ? [12, 16, 20, 24] : [12, 16, 18, 18])[min(count, 3)]
            if hasFraction { parts.smallestBar = isTable && count > 2 ? Self.bars.short : Self.bars.shortest }
            if fits(parts) { return parts }
        }
        let parts = Parts(hasPercentages: hasFraction)
        return fits(parts) ? parts : Parts()
    }

    /// The number of cells of a row without its name and its bar.
    private func fixedCells(_ parts: Parts) -> Int {
        let bar = (parts.smallestBar > 0 ? Self.gap : 0) + (parts.hasPercentages ? 1 + Self.percentCells : 0)
        return parts.details.reduce(bar) { $0 + Self.gap + widths.details[$1] }
    }

    func line(at index: Int) -> String {
        let isTotal = isTable && index == 0
        let (row, name) = (rows[index], names[index])
        func strong(_ text: String) -> String { isTotal ? colors.strong(text) : text }
        var line = strong(name.text)
        // Terminals disagree about the width of some names, so the next column begins at an absolute position. In some
        // terminals, a name that is written from right to left would also move the numbers.
        var space = name.isPlain ? blank(nameCells - name.cells) : "\u{200E}\u{1B}[K\u{1B}[\(lead + nameCells + 1)G"
        func append(_ text: String, _ missing: Int, gap: Int = Self.gap) {
            space += blank(gap + missing)
            if text.isEmpty { return }
            line += space + text
            space = ""
        }
        let rate = detail(1, of: row)
        if isTotal, name.isPlain, parts.details == [0, 2], name.cells + 1 + rate.cells <= nameCells {
            space = ""
            append(colors.secondary(rate.text), nameCells - name.cells - rate.cells, gap: 0)
        }
        if barCells > 0 { append(row.percent.map(bar) ?? "", row.percent == nil ? barCells : 0) }
        if parts.hasPercentages {
            let text = row.percent.map { "\($0) %" } ?? ""
            append(strong(text), Self.percentCells - text.count, gap: 1)
        }
        for column in parts.details {
            let text = detail(column, of: row)
            // The column that is dropped last has normal intensity.
            let isSecondary = column != (parts.details.contains(2) ? 2 : parts.details[0])
            append(isSecondary ? colors.secondary(text.text) : text.text, widths.details[column] - text.cells)
        }
        return line
    }

    private func detail(_ column: Int, of row: TerminalIndicator.Row) -> TerminalText {
        column < row.details.count ? text(row.details[column], cells: widths.details[column]) : text("", cells: 0)
    }

    private func bar(_ percent: Int) -> String {
        let (line, half, rest) = colors.hasSymbols ? ("━", "╾", "─") : ("=", "", "-")
        let halves = percent * barCells * 2 / 100
        let full = String(repeating: line, count: halves / 2) + (halves % 2 == 1 ? half : "")
        return (percent == 100 ? colors.success(full) : colors.accent(full))
            + colors.track(String(repeating: rest, count: barCells - full.count))
    }

    /// Replaces the beginning that all names have in common by an ellipsis.
    private func distinct(_ names: [String]) -> [String] {
        let common = names.dropFirst().reduce(names[0]) { $0.commonPrefix(with: $1, options: .literal) }
        guard names.count > 1, let end = common.lastIndex(where: { !$0.isLetter && !$0.isNumber }) else { return names }
        let count = common[...end].count
        return count < 4 ? names : names.map { (colors.isUTF8 ? "…" : "...") + $0.dropFirst(count) }
    }
}
