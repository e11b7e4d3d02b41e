/// The main row and the rows below it as one table. Its columns are the name, a bar, the percentage, and the details.
///
/// As the window narrows, the table shortens the names and the bars, and then drops the details one by one, the bars and
/// the percentages. A narrower table never has a part that a wider one lacks.
package struct TerminalTable {
    /// The widths of the name column and of the columns of details.
    package struct Cells: Sendable, Equatable {
        package var name = 0
        package var details: [Int] = []

        /// The widths of a total with its rate, and of the texts of a transfer: `24.1 of ~62.6 MB`, `250 kB/s` and
        /// `119 s left`.
        private static let typical = (name: 20, details: [16, 8, 10])

        package init() {}

        /// Extends these widths to those of the rows' texts. Typical widths are reserved in advance, so that the bars
        /// keep their places when the first numbers appear.
        package mutating func extend(to rows: [TerminalIndicator.Row], isTable: Bool, isUTF8: Bool) {
            func cells(_ text: String) -> Int { TerminalText(text, cells: 400, isUTF8: isUTF8).cells }
            if isTable { name = max(name, Self.typical.name) }
            for row in rows {
                name = max(name, cells(row.name))
                for (index, detail) in row.details.enumerated() {
                    if index == details.count { details.append(0) }
                    let isTypical =
                        index < Self.typical.details.count && row.details.count >= Self.typical.details.count
                    details[index] = max(details[index], cells(detail), isTypical ? Self.typical.details[index] : 0)
                }
            }
        }
    }

    private struct Parts {
        /// The indices of the details.
        var details: [Int] = []
        var name = 4
        var bar = 0
        var hasPercentages = false

        /// The number of cells of a table without its names and bars.
        func cells(_ widths: Cells) -> Int {
            details.reduce(0) { $0 + gap + widths.details[$1] } + (bar > 0 ? gap : 0)
                + (hasPercentages ? 1 + percentCells : 0)
        }
    }

    private let rows: [TerminalIndicator.Row]
    private let isTable: Bool
    private let colors: TerminalColors
    private let lead: Int
    /// The number of columns up to the end of the table.
    private(set) var cells = 0
    private var widths: Cells
    private var parts: Parts
    private var names: [TerminalText] = []
    private var nameCells = 0
    private var barCells = 0

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
        (self.rows, self.isTable, self.colors, self.lead) = (rows, isTable, colors, lead)
        widths = reserved
        widths.extend(to: rows, isTable: isTable, isUTF8: colors.isUTF8)
        parts = Self.parts(of: rows, isTable, widths, in: cells - lead)
        // An earlier text that was very long doesn't cost a column.
        var current = Cells()
        current.extend(to: rows, isTable: isTable, isUTF8: colors.isUTF8)
        let currentParts = Self.parts(of: rows, isTable, current, in: cells - lead)
        if currentParts.details.count > parts.details.count { (widths, parts) = (current, currentParts) }
        let free = cells - lead - parts.cells(widths)
        nameCells = min(widths.name, parts.bar > 0 ? max(parts.name, free - Self.bars.medium) : free)
        if parts.bar > 0 { barCells = min(Self.bars.longest, free - nameCells) }
        self.cells = cells - free + nameCells + barCells
        var further = rows.dropFirst().map(\.name)
        let limit = nameCells + 1
        if further.contains(where: { TerminalText($0, cells: limit, isUTF8: colors.isUTF8).cells == limit }) {
            further = Self.distinct(further, colors)
        }
        names = (rows.prefix(1).map(\.name) + further).enumerated().map { index, name in
            let cutsMiddle = index > 0 || rows[0].isFileName
            return TerminalText(name, cells: nameCells, cutsMiddle: cutsMiddle, isUTF8: colors.isUTF8)
        }
    }

    /// The parts that fit while the names and the bars have their smallest widths.
    private static func parts(
        of rows: [TerminalIndicator.Row], _ isTable: Bool, _ widths: Cells, in cells: Int
    ) -> Parts {
        let hasFraction = rows.contains { $0.percent != nil }
        func fits(_ parts: Parts) -> Bool { min(widths.name, parts.name) + parts.bar + parts.cells(widths) <= cells }
        // The time is more useful than the bytes, and the bytes are more useful than the rate.
        let order = [2, 0, 1] + widths.details.indices.dropFirst(3)
        let details = order.filter { $0 < widths.details.count && widths.details[$0] > 0 }
        for count in (0...details.count).reversed() {
            var parts = Parts(details: details.prefix(count).sorted(), hasPercentages: hasFraction)
            // A total that has no column for its rate has the rate behind its name.
            parts.name = (isTable ? [12, 16, 20, 24] : [12, 16, 18, 18])[min(count, 3)]
            if hasFraction { parts.bar = isTable && count > 2 ? bars.short : bars.shortest }
            if fits(parts) { return parts }
        }
        let parts = Parts(hasPercentages: hasFraction)
        return fits(parts) ? parts : Parts()
    }

    func line(at index: Int) -> String {
        let isTotal = isTable && index == 0
        let (row, name) = (rows[index], names[index])
        func strong(_ text: String) -> String { isTotal ? colors.strong(text) : text }
        var line = strong(name.text)
        // Terminals disagree about the width of some names, so the next column begins at an absolute position. In some
        // terminals, a name that is written from right to left would also move the numbers.
        var space = name.isPlain ? blank(nameCells - name.cells) : "\u{200E}\u{1B}[K\u{1B}[\(lead + nameCells + 1)G"
        if isTotal, name.isPlain, let rate = rateBehindName(name) {
            line += blank(nameCells - name.cells - rate.cells) + colors.secondary(rate.text)
            space = ""
        }
        func append(_ text: String, _ missing: Int, gap: Int = Self.gap) {
            space += blank(gap + missing)
            if text.isEmpty { return }
            line += space + text
            space = ""
        }
        if barCells > 0 { append(row.percent.map(bar) ?? "", row.percent == nil ? barCells : 0) }
        if parts.hasPercentages {
            let text = row.percent.map { "\($0) %" } ?? ""
            append(strong(text), Self.percentCells - text.count, gap: 1)
        }
        for column in parts.details {
            let text = detail(column, of: row)
            // The column that is dropped last has normal intensity.
            let isSecondary = parts.details.count > 1 && column != (parts.details.contains(2) ? 2 : 0)
            append(isSecondary ? colors.secondary(text.text) : text.text, widths.details[column] - text.cells)
        }
        return line
    }

    private func detail(_ column: Int, of row: TerminalIndicator.Row) -> TerminalText {
        let text = column < row.details.count ? row.details[column] : ""
        return TerminalText(text, cells: widths.details[column], isUTF8: colors.isUTF8)
    }

    private func rateBehindName(_ name: TerminalText) -> TerminalText? {
        guard parts.details == [0, 2] else { return nil }
        let rate = detail(1, of: rows[0])
        return rate.cells > 0 && name.cells + 1 + rate.cells <= nameCells ? rate : nil
    }

    private func bar(_ percent: Int) -> String {
        let (line, half, rest) = colors.hasSymbols ? ("━", "╾", "─") : ("=", "", "-")
        let halves = percent * barCells * 2 / 100
        let full = String(repeating: line, count: halves / 2) + (halves % 2 == 1 ? half : "")
        return (percent == 100 ? colors.success(full) : colors.accent(full))
            + colors.track(String(repeating: rest, count: barCells - full.count))
    }

    /// Replaces the beginning that all names have in common by an ellipsis.
    private static func distinct(_ names: [String], _ colors: TerminalColors) -> [String] {
        guard names.count > 1, var common = names.first?[...] else { return names }
        for name in names { common = common.prefix(zip(common, name).prefix { $0 == $1 }.count) }
        guard let end = common.lastIndex(where: { !$0.isLetter && !$0.isNumber }) else { return names }
        let count = common[...end].count
        return count < 4 ? names : names.map { (colors.isUTF8 ? "…" : "...") + $0.dropFirst(count) }
    }
}
