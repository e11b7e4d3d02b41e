extension TerminalLine {
    /// In a narrow window, details are dropped until the longest name fits or 24 cells remain for the names.
    package func rows(columns: Int, height: Int) -> [String] {
        guard columns >= 40, height >= rows.count + 2 else { return [] }
        let room = Room(columns: columns)
        let percents = rows.map { row in row.fraction.flatMap { TerminalLineSource.percent(of: $0) } }
        var bar = percents.contains { $0 != nil } ? 8 : 0
        let percentCells = bar > 0 ? 2 + 6 : 0
        var table = (0..<(rows.map(\.details.count).max() ?? 0)).map { column(at: $0, cells: room.cells) }
        let longest = rows.map { TerminalText($0.name, cells: 400, isUTF8: style.isUTF8).cells }.max() ?? 0
        let free = Column.drop(&table, toFree: min(longest, 24), of: room.cells - bar - percentCells)
        let names = longest <= free ? rows.map(\.name) : Self.distinct(rows.map(\.name), style)
        let texts = names.map { TerminalText($0, cells: free, cut: .middle, isUTF8: style.isUTF8) }
        let nameCells = texts.map(\.cells).max() ?? 0
        if bar > 0 { bar = min(bar + free - nameCells, Self.longestBar) }
        return zip(texts, percents).enumerated().map { index, row in
            var line = room.indent + row.0.text + Self.blank(nameCells - row.0.cells)
            if let percent = row.1 {
                let text = Self.text(ofPercent: percent)
                line += "  " + self.bar(percent, cells: bar) + Self.blank(6 - text.count) + text
            } else {
                line += Self.blank(bar + percentCells)
            }
            for column in table {
                line += Self.blank(column.cells - column.texts[index].cells) + column.texts[index].text
            }
            return line
        }
    }

    static func blank(_ count: Int) -> String { String(repeating: " ", count: count) }

    private func column(at index: Int, cells: Int) -> Column {
        let details = rows.map { index < $0.details.count ? $0.details[index] : .init("", priority: .min) }
        let texts = details.map { TerminalText($0.text, cells: cells, isUTF8: style.isUTF8) }
        let longest = texts.map(\.cells).max() ?? 0
        return Column(
            texts: texts, cells: longest == 0 ? 0 : longest + 2, priority: details.map(\.priority).max() ?? 0)
    }

    private static func distinct(_ names: [String], _ style: TerminalStyle) -> [String] {
        guard names.count > 1, var common = names.first?[...] else { return names }
        for name in names { common = common.prefix(zip(common, name).prefix { $0 == $1 }.count) }
        guard let end = common.lastIndex(where: { !$0.isLetter && !$0.isNumber }) else { return names }
        let count = common[...end].count
        return count < 4 ? names : names.map { (style.isUTF8 ? "…" : "...") + $0.dropFirst(count) }
    }
}
