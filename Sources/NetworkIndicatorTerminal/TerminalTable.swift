/// The main row and the rows below it as one table. Its columns are the name, a bar, the percentage, and the details.
///
/// As the window narrows, the table first drops details, except the most useful one. It then shortens the names to
/// 24 cells, the bars to 6 cells, and the names to 16 cells. After that, it drops the last detail, the bars
/// and the percentages. A narrower table never has a part that a wider one lacks.
package struct TerminalTable {
    /// The widths of the name column and of the columns of details.
    package struct Cells: Sendable, Equatable {
        package var name = 0
        package var details: [Int] = []

        package init() {}

        /// Extends these widths to those of the rows' texts.
        package mutating func extend(to rows: [TerminalIndicator.Row], isUTF8: Bool) {
            func cells(_ text: String) -> Int { TerminalText(text, cells: 400, isUTF8: isUTF8).cells }
            for row in rows {
                name = max(name, cells(row.name))
                for (index, detail) in row.details.enumerated() {
                    if index == details.count { details.append(0) }
                    details[index] = max(details[index], cells(detail))
                }
            }
        }
    }

    private let rows: [TerminalIndicator.Row]
    private let colors: TerminalColors
    private let lead: Int
    /// The number of columns up to the end of the table.
    private(set) var cells = 0
    private var names: [TerminalText] = []
    private var nameCells = 0
    private var hasBars = false
    private var barCells = 0
    private var hasPercentages = false
    private var columns: [(index: Int, cells: Int, isSecondary: Bool)] = []

    private static let gap = 2
    private static let percentCells = 5
    private static let bars = (shortest: 6, short: 8, longest: 40)
    private static let names = (shortest: 4, withBar: 12, withDetail: 16, short: 24, withDetails: 32)

    /// - Parameters:
    ///   - lead: The number of columns before the names.
    ///   - cells: The largest number of columns up to the end of the table.
    init(_ rows: [TerminalIndicator.Row], reserved: Cells, lead: Int, cells: Int, colors: TerminalColors) {
        (self.rows, self.colors, self.lead) = (rows, colors, lead)
        var widths = reserved
        widths.extend(to: rows, isUTF8: colors.isUTF8)
        let free = chooseParts(widths, cells - lead)
        if hasBars {
            barCells = min(Self.bars.short, max(Self.bars.shortest, free - min(widths.name, Self.names.short)))
        }
        nameCells = min(widths.name, free - barCells)
        if hasBars { barCells = min(Self.bars.longest, free - nameCells) }
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

    /// Returns the number of cells for names and bars.
    private mutating func chooseParts(_ widths: Cells, _ cells: Int) -> Int {
        let hasFraction = rows.contains { $0.percent != nil }
        func fits(name: Int, bar: Int, details: Int = 0) -> Bool {
            let numbers = hasFraction ? bar + (bar > 0 ? Self.gap : 0) + Self.percentCells + Self.gap : 0
            return min(widths.name, name) + numbers + details <= cells
        }
        var details = 0
        // The time is more useful than the bytes, and the bytes are more useful than the rate.
        let order = [2, 0, 1] + widths.details.indices.dropFirst(3)
        for index in order where index < widths.details.count && widths.details[index] > 0 {
            let (isFirst, needed) = (columns.isEmpty, details + Self.gap + widths.details[index])
            let bar = isFirst ? Self.bars.shortest : Self.bars.short
            guard fits(name: isFirst ? Self.names.withDetail : Self.names.withDetails, bar: bar, details: needed) else {
                break
            }
            columns.append((index, widths.details[index], isSecondary: !isFirst))
            details = needed
        }
        columns.sort { $0.index < $1.index }
        hasPercentages = hasFraction && fits(name: Self.names.shortest, bar: 0)
        hasBars = hasPercentages && fits(name: Self.names.withBar, bar: Self.bars.shortest)
        return cells - details - (hasPercentages ? Self.gap + Self.percentCells : 0) - (hasBars ? Self.gap : 0)
    }

    func line(at index: Int, isTotal: Bool = false) -> String {
        let (row, name) = (rows[index], names[index])
        func strong(_ text: String) -> String { isTotal ? colors.strong(text) : text }
        var line = strong(name.text)
        // Terminals disagree about the width of some names, so the next column begins at an absolute position. In some
        // terminals, a name that is written from right to left would also move the numbers.
        var space = name.isPlain ? blank(nameCells - name.cells) : "\u{200E}\u{1B}[K\u{1B}[\(lead + nameCells + 1)G"
        func append(_ text: String, _ missing: Int) {
            space += blank(Self.gap + missing)
            if text.isEmpty { return }
            line += space + text
            space = ""
        }
        if hasBars { append(row.percent.map(bar) ?? "", row.percent == nil ? barCells : 0) }
        if hasPercentages {
            let text = row.percent.map { "\($0) %" } ?? ""
            append(strong(text), Self.percentCells - text.count)
        }
        for column in columns {
            let detail = column.index < row.details.count ? row.details[column.index] : ""
            let text = TerminalText(detail, cells: column.cells, isUTF8: colors.isUTF8)
            append(column.isSecondary ? colors.secondary(text.text) : text.text, column.cells - text.cells)
        }
        return line
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
