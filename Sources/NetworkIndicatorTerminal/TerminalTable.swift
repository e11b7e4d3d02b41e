import Foundation

/// The main row and the rows below it as one table. Its columns are the name, a bar, the percentage, and the details.
///
/// As the window narrows, the table shortens the names and the bars, and then drops the details one by one, the bars
/// and the percentages. A narrower table never has a part that a wider one lacks.
package struct TerminalTable {
    /// The widths of the column of names and of the columns of details.
    package struct Cells: Sendable, Equatable {
        /// Whether the main row is the total of other rows, even if those aren't shown or have ended.
        private(set) var isTable = false
        private(set) var name = 0
        fileprivate(set) var details: [Int] = []

        /// Extends these widths to those of the rows' texts. The widths of a total with its rate, and of texts such as
        /// `24.1 of ~62.6 MB`, `250 kB/s` and `119 s left`, are reserved in advance, so that the bars keep their places
        /// when the first numbers appear.
        mutating func extend(to rows: [TerminalIndicator.Row], isTable new: Bool) {
            func cells(_ text: String) -> Int { TerminalText(text, cells: 400, isUTF8: true).cells }
            isTable = isTable || new
            name = max(name, isTable ? 20 : 0)
            for row in rows {
                name = max(name, cells(row.name))
                let typical = row.details.count < 3 ? [] : [isTable ? 16 : Self.bytesCells(row), 8, 10]
                for (index, detail) in row.details.enumerated() {
                    if index == details.count { details.append(0) }
                    details[index] = max(details[index], cells(detail), index < typical.count ? typical[index] : 0)
                }
            }
        }

        /// The width of the largest text for the bytes of a transfer. The completed bytes become as wide as the total,
        /// or as wide as `99.9` before a total such as `120 MB`.
        private static func bytesCells(_ row: TerminalIndicator.Row) -> Int {
            let parts = row.details[0].split(separator: " of ")
            guard parts.count == 2 else { return row.percent == nil ? 7 : 15 }
            return (parts[1].contains(".") ? parts[1].prefix { $0 != " " }.count : 4) + 4 + parts[1].count
        }
    }

    private struct Parts {
        let widths: Cells
        /// The indices of the details.
        var details: [Int] = []
        var showsPercent = false
        var smallestName = 4
        var smallestBar = 0

        /// The number of cells of a row without its name and its bar.
        var fixedCells: Int {
            let bar = (smallestBar > 0 ? gap : 0) + (showsPercent ? 1 + percentCells : 0)
            return details.reduce(bar) { $0 + gap + widths.details[$1] }
        }

        /// The parts that fit in this number of cells while the names and the bars have their smallest widths.
        static func fitting(in cells: Int, _ widths: Cells, hasFraction: Bool) -> Parts {
            func fits(_ parts: Parts) -> Bool {
                min(widths.name, parts.smallestName) + parts.smallestBar + parts.fixedCells <= cells
            }
            // The time is more useful than the bytes, and the bytes are more useful than the rate.
            let order = [2, 0, 1] + widths.details.indices.dropFirst(3)
            let details = order.filter { $0 < widths.details.count && widths.details[$0] > 0 }
            for count in (0...details.count).reversed() {
                var parts = Parts(widths: widths, details: details.prefix(count).sorted(), showsPercent: hasFraction)
                // A total that has no column for its rate has the rate behind its name.
                parts.smallestName = (widths.isTable ? [12, 16, 20, 24] : [12, 16, 18, 18])[min(count, 3)]
                if hasFraction { parts.smallestBar = widths.isTable && count > 2 ? bars.short : bars.shortest }
                if fits(parts) { return parts }
            }
            let parts = Parts(widths: widths, showsPercent: hasFraction)
            return fits(parts) ? parts : Parts(widths: widths)
        }
    }

    private let rows: [TerminalIndicator.Row]
    private let colors: TerminalColors
    private let lead: Int
    private let parts: Parts
    private let nameCells: Int
    private let barCells: Int
    private var names: [TerminalText] = []

    private static let gap = 2
    private static let percentCells = 5
    private static let bars = (shortest: 6, short: 10, medium: 12, longest: 40)

    /// - Parameters:
    ///   - isTable: Whether there are rows below the main row, even if `rows` doesn't contain them.
    ///   - lead: The number of columns before the names.
    ///   - limit: The largest number of columns up to the end of the table.
    init(
        _ rows: [TerminalIndicator.Row], isTable: Bool, reserved: Cells, lead: Int, limit: Int, colors: TerminalColors
    ) {
        (self.rows, self.colors, self.lead) = (rows, colors, lead)
        func fitting(_ details: [Int]) -> Parts {
            var widths = reserved
            widths.details = details
            widths.extend(to: rows, isTable: isTable)
            return .fitting(in: limit - lead, widths, hasFraction: rows.contains { $0.percent != nil })
        }
        // An earlier text that was very long doesn't cost a column.
        let (stable, current) = (fitting(reserved.details), fitting([]))
        parts = stable.details.count < current.details.count ? current : stable
        let (hasBar, free) = (parts.smallestBar > 0, limit - lead - parts.fixedCells)
        nameCells = min(parts.widths.name, hasBar ? max(parts.smallestName, free - Self.bars.medium) : free)
        barCells = hasBar ? min(Self.bars.longest, free - nameCells) : 0
        var further = rows.dropFirst().map(\.name)
        if further.contains(where: { text($0, cells: 400).cells > nameCells }) { further = distinct(further) }
        names = rows.prefix(1).map { text($0.name, cells: nameCells, cutsMiddle: $0.isFileName) }
        names += further.map { text($0, cells: nameCells, cutsMiddle: true) }
    }

    /// The number of columns up to the end of the table.
    var cells: Int { lead + nameCells + barCells + parts.fixedCells }

    private func text(_ text: String, cells: Int, cutsMiddle: Bool = false) -> TerminalText {
        TerminalText(text, cells: cells, cutsMiddle: cutsMiddle, isUTF8: colors.isUTF8)
    }

    func line(at index: Int) -> String {
        let isTotal = parts.widths.isTable && index == 0
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
        // Without the bytes, the names may be wider than with them, and a narrower window must not show more.
        let (rate, room) = (detail(1, of: row), [[0, 2]: nameCells, [2]: min(nameCells, 20)][parts.details] ?? 0)
        if isTotal, name.isPlain, room > 0, name.cells + 1 + parts.widths.details[1] <= room {
            space = ""
            append(colors.secondary(rate.text), nameCells - name.cells - rate.cells, gap: 0)
        }
        if barCells > 0 { append(row.percent.map(bar) ?? "", row.percent == nil ? barCells : 0) }
        if parts.showsPercent {
            let text = row.percent.map { "\($0) %" } ?? ""
            append(strong(text), Self.percentCells - text.count, gap: 1)
        }
        for column in parts.details {
            let text = detail(column, of: row)
            // The column that is dropped last has normal intensity.
            let isSecondary = column != (parts.details.contains(2) ? 2 : parts.details[0])
            append(isSecondary ? colors.secondary(text.text) : text.text, parts.widths.details[column] - text.cells)
        }
        return line
    }

    private func detail(_ column: Int, of row: TerminalIndicator.Row) -> TerminalText {
        column < row.details.count ? text(row.details[column], cells: parts.widths.details[column]) : text("", cells: 0)
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
