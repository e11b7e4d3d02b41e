/// A closure may call the indicator's methods, which access this source while `next()` runs. If this type were a
/// structure, that access would violate exclusivity.
@MainActor
final class TerminalLineSource {
    private let content: @MainActor @Sendable () -> TerminalIndicator.Row
    private let rows: (@MainActor @Sendable () -> [TerminalIndicator.Row])?
    private let emptyLine: TerminalLine

    /// The highest percentage since the indicator turned on or the fraction was last unknown, whichever was later.
    private var percent: Int?
    private var detailCells: [Int] = []

    nonisolated init(
        _ content: @escaping @MainActor @Sendable () -> TerminalIndicator.Row,
        rows: (@MainActor @Sendable () -> [TerminalIndicator.Row])?, emptyLine: TerminalLine
    ) {
        self.content = content
        self.rows = rows
        self.emptyLine = emptyLine
    }

    func reset() {
        percent = nil
        detailCells = []
    }

    func next() -> TerminalLine {
        var line = emptyLine
        let content = content()
        line.label = content.name
        percent = content.fraction.flatMap(Self.percent(of:)).map { max(percent ?? 0, $0) }
        line.percent = percent
        line.details = content.details
        if line.details.count != detailCells.count { detailCells = line.details.map { _ in 0 } }
        for (index, detail) in line.details.enumerated() {
            detailCells[index] = max(detailCells[index], CellWidth.of(detail.text))
        }
        line.reservedCells = detailCells
        line.rows = rows?() ?? []
        return line
    }

    func stillLine(_ text: String) -> TerminalLine {
        var line = emptyLine
        line.label = text
        line.pictures = []
        line.progress = .none
        line.isStill = true
        return line
    }

    nonisolated static func percent(of fraction: Double) -> Int? {
        fraction.isNaN ? nil : Int(min(max(fraction, 0), 1) * 100 + 1e-9)
    }
}
