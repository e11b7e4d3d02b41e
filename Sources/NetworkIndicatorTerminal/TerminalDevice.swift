package protocol TerminalDevice: Sendable {
    /// `nil` if the output isn't a terminal.
    var conditions: TerminalConditions? { get }

    /// Whether standard output may reach the terminal later than standard error, as in `program | tee log`.
    var isOutputDelayed: Bool { get }

    /// Whether the terminal has read the earlier frames, as far as the system tells.
    var isIdle: Bool { get }

    /// Returns `.written` when the terminal accepts bytes, `.busy` when the time limit expires, or `.failed` when the
    /// terminal has hung up or reports an error. A limit of -1 never expires.
    func wait(within milliseconds: Int32) -> TerminalOutcome

    /// Writes the bytes that the terminal accepts within a short time. Returns their number, or `nil` if writing fails.
    func draw(_ bytes: [UInt8]) -> Int?

    /// Discards the output that the terminal hasn't read yet.
    func discard()

    /// Writes text, and waits while the terminal is blocked.
    func write(_ text: String)
}

/// If the size is unknown, `columns` is 80, and `rows` is 0.
package struct TerminalConditions: Sendable, Equatable {
    package var columns: Int
    package var rows = 0
    /// The number of bytes in typed and echoed lines that no process has read yet.
    package var typedBytes = 0
    package var isForeground = true
}

package enum TerminalOutcome: Sendable, Equatable {
    /// This value can also mean that there was nothing to write, or that the process is in the background.
    case written
    /// Some of the bytes may have been written.
    case busy
    case failed
}
