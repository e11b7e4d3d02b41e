extension TerminalScreenState {
    /// The last line of the indicator that draws.
    struct Latest {
        var line: TerminalLine
        var time: Duration
    }

    /// The state of the terminal's progress bar, and the time at which that state was set.
    struct Progress {
        var state: TerminalProgress.State
        var time: Duration
    }

    /// A frame on the screen.
    struct Drawn {
        var conditions: TerminalConditions
        /// The number of rows drawn.
        var rows: Int
        /// Whether the window has become narrower than a row. The terminal may have wrapped the row onto the next line.
        var isWrapped: Bool

        func isWrapped(in conditions: TerminalConditions) -> Bool {
            let columns = self.conditions.columns
            return isWrapped || conditions.columns < columns - TerminalLine.freeColumns(of: columns)
        }
    }
}
