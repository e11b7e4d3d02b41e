/// The output that indicators draw on.
///
/// `StandardErrorDevice` writes to standard error. The tests use a device that writes into memory.
package protocol TerminalDevice: Sendable {
    /// The current conditions of the terminal, or `nil` if the file descriptor isn't a terminal.
    var conditions: TerminalConditions? { get }

    /// Whether data written to standard output may reach the same terminal with a delay, as in `program | tee log`.
    var isOutputDelayed: Bool { get }

    /// Waits until the terminal accepts bytes.
    ///
    /// - Parameter milliseconds: The time limit, or -1 for none.
    /// - Returns: `.written` if the terminal accepts bytes, `.busy` after the time limit, or `.failed`.
    func wait(within milliseconds: Int32) -> TerminalOutcome

    /// Writes as many bytes of a frame or an erasure as the terminal accepts.
    ///
    /// - Returns: The number of bytes written, which is 0 if the terminal is blocked, or `nil` if the terminal no
    ///   longer exists.
    func draw(_ bytes: [UInt8]) -> Int?

    /// Writes text, and waits while the terminal is blocked.
    func write(_ text: String)

    /// Closes the file descriptor that `draw(_:)` opened. The next frame opens another one.
    func release()
}

/// The conditions of a terminal at one moment.
package struct TerminalConditions: Sendable, Equatable {
    /// The window's width in columns, or 0 if it is unknown.
    package var columns: Int
    /// The window's height in rows, or 0 if it is unknown.
    package var rows: Int
    /// The number of bytes in typed and echoed lines that no process has read yet.
    package var typedBytes: Int
    /// Whether this process runs in the foreground and may draw without disturbing another process.
    package var isForeground: Bool

    package init(columns: Int, rows: Int = 0, typedBytes: Int = 0, isForeground: Bool = true) {
        self.columns = columns
        self.rows = rows
        self.typedBytes = typedBytes
        self.isForeground = isForeground
    }
}

package enum TerminalOutcome: Sendable, Equatable {
    /// The bytes were written, or there was nothing to write, or the process runs in the background.
    case written
    /// The terminal is blocked, so some or all of the bytes weren't written.
    case busy
    /// There is no terminal, or a write failed.
    case failed
}
