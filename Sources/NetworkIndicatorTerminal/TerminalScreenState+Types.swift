extension TerminalScreenState {
    struct Progress {
        var state: TerminalProgress.State
        var time: Duration
    }

    struct Drawn {
        var conditions: TerminalConditions
        var rows: Int
        /// Whether the terminal may have wrapped a row, because the window has become narrower.
        var isWrapped: Bool

        func isWrapped(in conditions: TerminalConditions) -> Bool {
            let columns = self.conditions.columns
            return isWrapped || conditions.columns < columns - TerminalLine.freeColumns(of: columns)
        }
    }
}
