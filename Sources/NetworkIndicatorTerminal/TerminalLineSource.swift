/// Creates the lines that an indicator draws, from the texts and numbers of the program.
///
/// This type is a class, because the program's closures may use the indicator while the source creates a line.
@MainActor
final class TerminalLineSource {
    /// The shortest time between two updates of the numbers. Ten updates a second would be illegible, and would triple
    /// the output.
    private static let updateInterval = Duration.milliseconds(500)

    private let label: @MainActor @Sendable () -> String
    private let fraction: (@MainActor @Sendable () -> Double?)?
    private let details: (@MainActor @Sendable () -> [TerminalIndicator.Detail])?
    private let rows: (@MainActor @Sendable () -> [TerminalIndicator.Row])?
    private let frames: [TerminalText]
    /// A line without text and numbers.
    private let emptyLine: TerminalLine

    private var frameIndex = 0
    /// The highest percentage since the indicator turned on, or since the fraction was last unknown.
    private var percent: Int?
    /// The largest number of cells that each detail has taken since the indicator turned on, or since the number of
    /// details changed.
    private var detailCells: [Int] = []
    /// The last line with updated numbers, and the time of the update.
    private var lastUpdate: (line: TerminalLine, time: SuspendingClock.Instant)?

    nonisolated init(
        label: @escaping @MainActor @Sendable () -> String, fraction: (@MainActor @Sendable () -> Double?)?,
        details: (@MainActor @Sendable () -> [TerminalIndicator.Detail])?,
        rows: (@MainActor @Sendable () -> [TerminalIndicator.Row])?, frames: [String], emptyLine: TerminalLine
    ) {
        self.label = label
        self.fraction = fraction
        self.details = details
        self.rows = rows
        self.frames = frames.map { TerminalText(picture: $0, isUTF8: emptyLine.style.isUTF8) }
        self.emptyLine = emptyLine
    }

    /// Clears the percentage, the reserved cells and the last numbers.
    func reset() {
        percent = nil
        detailCells = []
        lastUpdate = nil
    }

    /// Returns the line with the spinner's next picture.
    ///
    /// - Parameter isUpdate: Whether to read all numbers again. If `false`, the source reads them after half a second,
    ///   for a new label, for the full bar, and when the fraction becomes known or unknown.
    func next(at now: SuspendingClock.Instant, isUpdate: Bool = false) -> TerminalLine {
        let label = label()
        readPercent()
        var line: TerminalLine
        if let lastUpdate, !isUpdate, lastUpdate.time.duration(to: now) < Self.updateInterval,
            isCurrent(lastUpdate.line, label)
        {
            line = lastUpdate.line
        } else {
            line = updatedLine(label)
            lastUpdate = (line, now)
        }
        line.currentPercent = percent
        line.glyph = frames[frameIndex]
        frameIndex = (frameIndex + 1) % frames.count
        return line
    }

    /// Returns a line without a spinner and numbers.
    func stillLine(_ text: String) -> TerminalLine {
        var line = emptyLine
        line.label = text
        line.progress = .none
        line.isStill = true
        return line
    }

    private func readPercent() {
        percent = fraction?().flatMap(Self.percent(of:)).map { max(percent ?? 0, $0) }
    }

    nonisolated static func percent(of fraction: Double) -> Int? {
        fraction.isNaN ? nil : Int(min(max(fraction, 0), 1) * 100 + 1e-9)
    }

    private func isCurrent(_ line: TerminalLine, _ label: String) -> Bool {
        line.label == label && (line.percent == nil) == (percent == nil) && (line.percent == 100) == (percent == 100)
    }

    private func updatedLine(_ label: String) -> TerminalLine {
        var line = emptyLine
        line.label = label
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
}
