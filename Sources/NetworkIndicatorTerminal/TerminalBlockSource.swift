/// A closure may call the indicator's methods, which access this source while `next()` runs. If this type were a
/// structure, that access would violate exclusivity.
@MainActor
final class TerminalBlockSource {
    private let content: @MainActor @Sendable () -> TerminalIndicator.Row
    private let rows: (@MainActor @Sendable () -> [TerminalIndicator.Row])?
    private let empty: TerminalBlock

    /// The highest fraction since the indicator turned on or the fraction was last unknown, whichever was later.
    private var fraction: Double?
    private var reserved = TerminalTable.Cells()

    nonisolated init(
        _ content: @escaping @MainActor @Sendable () -> TerminalIndicator.Row,
        rows: (@MainActor @Sendable () -> [TerminalIndicator.Row])?, empty: TerminalBlock
    ) {
        self.content = content
        self.rows = rows
        self.empty = empty
    }

    func reset() {
        fraction = nil
        reserved = TerminalTable.Cells()
    }

    func next() -> TerminalBlock {
        var block = empty
        block.main = content()
        block.rows = rows?() ?? []
        fraction = block.main.fraction.flatMap { $0.isNaN ? nil : max(fraction ?? 0, $0) }
        block.main.fraction = fraction
        reserved.extend(to: [block.main] + block.rows, isUTF8: block.colors.isUTF8)
        block.reserved = reserved
        return block
    }

    func still(_ text: String) -> TerminalBlock {
        var block = empty
        block.main = TerminalIndicator.Row(text)
        block.pictures = []
        block.progress = .none
        block.isStill = true
        return block
    }
}
