/// The descriptor that indicators draw on.
///
/// `StandardErrorDevice` writes to standard error. The tests write into memory.
package protocol TerminalDevice: Sendable {
    /// The state of the terminal; `nil` if the descriptor isn't a terminal.
    var conditions: TerminalConditions? { get }

    /// Whether standard output may reach the same terminal later, as in `program | tee log`.
    var isOutputDelayed: Bool { get }

    /// Waits until the terminal accepts bytes.
    ///
    /// - Parameter milliseconds: The time limit; -1 means none.
    /// - Returns: `.written`, `.busy` after the time limit, or `.failed`.
    func wait(within milliseconds: Int32) -> TerminalOutcome

    /// Writes the beginning of a frame or an erasure, as far as the terminal accepts it.
    ///
    /// - Returns: The number of bytes written: 0 if the terminal is blocked, `nil` if it is lost.
    func draw(_ bytes: [UInt8]) -> Int?

    /// Writes a text, even if the terminal is blocked for long.
    func write(_ text: String)

    /// Closes what `draw(_:)` has opened. The next frame opens it again.
    func release()
}

/// The terminal at one moment.
package struct TerminalConditions: Sendable, Equatable {
    /// The window's width; 0 if it is unknown.
    package var columns: Int
    /// The window's height; 0 if it is unknown.
    package var rows: Int
    /// The number of bytes of typed and echoed lines that are still unread.
    package var typedBytes: Int
    /// Whether this process runs in the foreground, so that it may draw without disturbing another one.
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
    /// The terminal is blocked, before or after a part of the bytes.
    case busy
    /// There is no terminal, or a write failed.
    case failed
}
