/// Creates the lines that an indicator draws, from the texts and numbers of the program.
///
/// This type is a class, because the program's closures may use the indicator while the source creates a line.
@MainActor
final class TerminalLineSource {
    private let label: @MainActor @Sendable () -> String
    private let fraction: (@MainActor @Sendable () -> Double?)?
    private let details: (@MainActor @Sendable () -> [TerminalIndicator.Detail])?
    private let rows: (@MainActor @Sendable () -> [TerminalIndicator.Row])?
    /// A line without text and numbers.
    private let emptyLine: TerminalLine

    /// The highest percentage since the indicator turned on, or since the fraction was last unknown.
    private var percent: Int?
    /// The largest number of cells that each detail has taken since the indicator turned on, or since the number of
    /// details changed.
    private var detailCells: [Int] = []

    nonisolated init(
        label: @escaping @MainActor @Sendable () -> String, fraction: (@MainActor @Sendable () -> Double?)?,
        details: (@MainActor @Sendable () -> [TerminalIndicator.Detail])?,
        rows: (@MainActor @Sendable () -> [TerminalIndicator.Row])?, emptyLine: TerminalLine
    ) {
        self.label = label
        self.fraction = fraction
        self.details = details
        self.rows = rows
        self.emptyLine = emptyLine
    }

    /// Clears the percentage and the reserved cells.
    func reset() {
        percent = nil
        detailCells = []
    }

    /// Returns a line with the current text and numbers.
    func next() -> TerminalLine {
        var line = emptyLine
        line.label = label()
        percent = fraction?().flatMap(Self.percent(of:)).map { max(percent ?? 0, $0) }
        line.percent = percent
        line.details = details?() ?? []
        if line.details.count != detailCells.count { detailCells = line.details.map { _ in 0 } }
        for (index, detail) in line.details.enumerated() {
            detailCells[index] = max(detailCells[index], CellWidth.of(detail.text))
        }
        line.reservedCells = detailCells
        line.rows = rows?() ?? []
        return line
    }

    /// Returns a line without a spinner and numbers.
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
