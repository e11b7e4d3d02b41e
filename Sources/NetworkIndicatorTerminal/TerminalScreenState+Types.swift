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

        /// Erases the lines to which a narrower window has wrapped the rows. Unlike line feeds, `ESC [B` doesn't scroll.
        /// After `ESC [J`, tmux 3.3 and VTE 0.70 would leave more lines behind.
        func erasureOfWrappedRows(in conditions: TerminalConditions) -> String {
            guard conditions.columns < cells else { return "" }
            let count = rows * ((cells - 1) / conditions.columns + 1)
            return "\u{1B}7" + String(repeating: "\r\u{1B}[K\u{1B}[B", count: count) + "\u{1B}8"
        }

        /// The number of rows that are still in the window, which may have become shorter. If it is exceeded, line
        /// feeds scroll the window.
        func visibleRows(in conditions: TerminalConditions) -> Int {
            conditions.rows > 0 ? min(rows, conditions.rows) : rows
        }
    }
}
