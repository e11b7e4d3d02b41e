extension TerminalScreenState {
    struct Drawn {
        var conditions: TerminalConditions
        var rows: Int
        var cells: Int
        /// Whether the terminal may have wrapped a row, because the window has become narrower.
        var isWrapped: Bool

        func isWrapped(in conditions: TerminalConditions) -> Bool {
            isWrapped || conditions.columns < cells
        }

        /// The number of rows that are still in the window, which may have become shorter. If it is exceeded, line
        /// feeds scroll the window.
        func visibleRows(in conditions: TerminalConditions) -> Int {
            conditions.rows > 0 ? min(rows, conditions.rows) : rows
        }
    }
}
