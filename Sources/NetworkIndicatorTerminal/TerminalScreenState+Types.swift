extension TerminalScreenState {
    struct Shown {
        let owner: ObjectIdentifier
        var block: TerminalBlock?
        /// The number of pictures that `advance(by:)` may draw before the whole block must be drawn.
        var remainingPictures: Int
    }

    struct Drawn {
        let conditions: TerminalConditions
        let rows: Int
        let cells: Int

        /// The number of rows that are still in the window, which may have become shorter. If it is exceeded, line
        /// feeds scroll the window.
        func visibleRows(in new: TerminalConditions) -> Int { new.rows > 0 ? min(rows, new.rows) : rows }

        /// Moves the cursor to the first row, and erases the lines to which a narrower window has wrapped the rows. If
        /// the window became narrower just before it received the latest frame, as many lines below may hold parts of
        /// earlier rows.
        ///
        /// `typedBytes` counts only complete lines, so if it has grown, Enter has moved the cursor down. This method
        /// moves the cursor up only one row, because other output may be further up. Unlike a line feed, `ESC [B`
        /// doesn't scroll. After `ESC [J`, tmux 3.3 would leave more lines behind.
        func start(in new: TerminalConditions) -> String {
            let up = new.typedBytes > conditions.typedBytes ? "\r\u{1B}[K\u{1B}[A" : ""
            guard new.columns < cells else { return up }
            let count = 2 * rows * ((cells - 1) / new.columns + 1)
            return "\(up)\u{1B}7" + String(repeating: "\r\u{1B}[K\u{1B}[B", count: count) + "\u{1B}8"
        }
    }
}
