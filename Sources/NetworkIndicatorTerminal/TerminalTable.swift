import Foundation

/// The main row and the rows below it as one table. Its columns are the name, a bar, the percentage, and texts.
///
/// As the window narrows, the table shortens the names and the bars. It then drops the rate, the amount, the bars, the
/// time, and the percentages. A narrower table never has a part that a wider one lacks.
package struct TerminalTable {
    /// The columns of texts, from left to right. The raw value is the width of a long text, such as `24.1 of ~62.6 MB`,
    /// `250 kB/s` or `stalled 12 s`. This width is reserved, so that the bars keep their places. A text that is longer
    /// takes the cells that it needs.
    package enum Column: Int, CaseIterable, Sendable {
        case amount = 16
        case rate = 8
        case time = 12

        func text(of row: TerminalIndicator.Row) -> String? {
            [Column.amount: row.amount, .rate: row.rate, .time: row.time][self] ?? nil
        }
    }

    /// What the rows have had since the indicator turned on, so that the bars keep their places.
    package struct Reserved: Sendable, Equatable {
        /// Whether the main row is the total of other rows, even if those aren't shown or have ended.
        fileprivate(set) var isTable = false
        fileprivate var nameCells = 0
        fileprivate var columns: Set<Column> = []

        mutating func extend(to rows: [TerminalIndicator.Row]) {
            isTable = isTable || rows.count > 1
            nameCells = max(nameCells, isTable ? preferredNameCells : 0, rows.map { Self.cells($0.name) }.max() ?? 0)
            columns.formUnion(Column.allCases.filter { column in rows.contains { column.text(of: $0) != nil } })
        }

        fileprivate static func cells(_ text: String) -> Int { TerminalText(text, cells: 400, isUTF8: true).cells }
    }

    /// The parts of a table, and the smallest width of its names.
    private struct Layout {
        var columns: [Column] = []
        var hasBar = false
        var hasPercent = false
        var nameCells = 4

        /// From the widest to the narrowest.
        static let all = [
            Layout(columns: [.amount, .rate, .time], hasBar: true, hasPercent: true, nameCells: 18),
            Layout(columns: [.amount, .time], hasBar: true, hasPercent: true, nameCells: 20),
            Layout(columns: [.time], hasBar: true, hasPercent: true, nameCells: 12),
            Layout(columns: [.time], hasPercent: true, nameCells: 12),
            Layout(hasPercent: true),
            Layout(),
        ]
    }

    private static let (gap, percentCells) = (2, "100 %".count)
    private static let barCells = (shortest: 6, medium: 12, longest: 40)
    /// The name of a total with its rate, such as `120/240 files 250 kB/s`.
    private static let preferredNameCells = 22

    private let rows: [TerminalIndicator.Row]
    private let colors: TerminalColors
    private let lead: Int
    private let isTable: Bool
    private let widths: [Column: Int]
    private var layout = Layout()
    private let nameCells: Int
    private let barCells: Int
    private var names: [TerminalText] = []

    /// - Parameters:
    ///   - reserved: What `rows` have, and perhaps more.
    ///   - lead: The number of columns before the names.
    ///   - limit: The largest number of columns up to the end of the table.
    init(_ rows: [TerminalIndicator.Row], reserved: Reserved, lead: Int, limit: Int, colors: TerminalColors) {
        (self.rows, self.colors, self.lead, isTable) = (rows, colors, lead, reserved.isTable)
        let hasFraction = rows.contains { $0.percent != nil }
        let widths = reserved.columns.reduce(into: [:]) { widths, column in
            widths[column] = rows.map { Reserved.cells(column.text(of: $0) ?? "") }.reduce(column.rawValue, max)
        }
        for candidate in Layout.all {
            layout = candidate
            layout.columns.removeAll { widths[$0] == nil }
            if !hasFraction { (layout.hasBar, layout.hasPercent) = (false, false) }
            let smallest = min(reserved.nameCells, layout.nameCells) + (layout.hasBar ? Self.barCells.shortest : 0)
            if smallest + Self.fixedCells(layout, widths) <= limit - lead { break }
        }
        self.widths = widths
        let free = limit - lead - Self.fixedCells(layout, widths)
        let longestName = max(
            Self.preferredNameCells, isTable ? Reserved.cells(rows[0].name) : 0, free - Self.barCells.medium)
        nameCells = min(reserved.nameCells, layout.hasBar ? min(longestName, free - Self.barCells.shortest) : free)
        barCells = layout.hasBar ? min(Self.barCells.longest, free - nameCells) : 0
        names = rows.prefix(1).map { text($0.name, cells: nameCells, cutsMiddle: $0.isFileName) }
        names += distinct(rows.dropFirst().map(\.name)).map { text($0, cells: nameCells, cutsMiddle: true) }
    }

    /// The number of cells of a row without its name and its bar.
    private static func fixedCells(_ layout: Layout, _ widths: [Column: Int]) -> Int {
        let start = (layout.hasBar ? gap : 0) + (layout.hasPercent ? 1 + percentCells : 0)
        return layout.columns.reduce(start) { $0 + gap + widths[$1, default: 0] }
    }

    /// The number of columns up to the end of the table.
    var cells: Int { lead + nameCells + barCells + Self.fixedCells(layout, widths) }

    private func text(_ text: String, cells: Int, cutsMiddle: Bool = false) -> TerminalText {
        TerminalText(text, cells: cells, cutsMiddle: cutsMiddle, isUTF8: colors.isUTF8)
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
        func append(_ column: Column, gap: Int = Self.gap) {
            let width = widths[column, default: 0]
            let text = text(column.text(of: row) ?? "", cells: width)
            append(column == .time ? text.text : colors.secondary(text.text), width - text.cells, gap: gap)
        }
        // Without a column for its rate, a total has the rate behind its name. Without the amounts, the names may be
        // wider than with them, and a narrower window must not show more.
        let room = layout.columns.contains(.amount) ? nameCells : min(nameCells, Layout.all[1].nameCells)
        let width = widths[.rate, default: 0]
        if isTotal, name.isPlain, layout.hasBar, !layout.columns.contains(.rate), name.cells + 1 + width <= room {
            space = ""
            append(.rate, gap: nameCells - name.cells - width)
        }
        if layout.hasBar { append(row.percent.map(bar) ?? "", row.percent == nil ? barCells : 0) }
        if layout.hasPercent {
            let text = row.percent.map { "\($0) %" } ?? ""
            append(strong(text), Self.percentCells - text.count, gap: 1)
        }
        for column in layout.columns { append(column) }
        return line
    }

    private func bar(_ percent: Int) -> String {
        let (line, half, rest) = colors.hasSymbols ? ("━", "╾", "─") : ("=", "", "-")
        let halves = percent * barCells * 2 / 100
        let full = String(repeating: line, count: halves / 2) + (halves % 2 == 1 ? half : "")
        return (percent == 100 ? colors.success(full) : colors.accent(full))
            + colors.secondary(String(repeating: rest, count: barCells - full.count))
    }

    /// If not all names fit, replaces the beginning that they have in common by an ellipsis.
    private func distinct(_ names: [String]) -> [String] {
        guard names.count > 1, names.contains(where: { Reserved.cells($0) > nameCells }) else { return names }
        let common = names.dropFirst().reduce(names[0]) { $0.commonPrefix(with: $1, options: .literal) }
        guard let end = common.lastIndex(where: { !$0.isLetter && !$0.isNumber }) else { return names }
        let count = common[...end].count
        return count < 4 ? names : names.map { (colors.isUTF8 ? "…" : "...") + $0.dropFirst(count) }
    }
}
