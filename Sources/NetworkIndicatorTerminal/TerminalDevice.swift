/// The descriptor that indicators draw on, and its state.
///
/// `StandardErrorDevice` writes to standard error. The tests write into memory.
package protocol TerminalDevice: Sendable {
    /// Whether the descriptor is a terminal.
    var isTerminal: Bool { get }

    /// Reads the terminal's state and writes, with no other writer and no signal handler in between.
    ///
    /// - Parameters:
    ///   - urgency: What to do if the terminal is blocked.
    ///   - compose: Returns what to write for the terminal's state. Called at most once.
    /// - Returns: The result.
    func transmit(
        _ urgency: TerminalUrgency, _ compose: (TerminalConditions) -> [TerminalTransmission]
    ) -> TerminalOutcome
}

package enum TerminalUrgency: Sendable {
    /// Is dropped if the terminal is blocked, if another thread uses it for 50 ms, and in the background.
    case frame
    /// Is always written, even if the terminal is blocked for long.
    case text
}

/// The terminal at the moment of writing.
package struct TerminalConditions: Sendable {
    /// The window's width; 0 if it is unknown.
    package var columns: Int
    /// The window's height; 0 if it is unknown.
    package var rows: Int
    /// The number of bytes of typed and echoed lines that are still unread.
    package var typedBytes: Int
    /// Whether this process runs in the foreground, so that it may draw without disturbing another one.
    package var isForeground: Bool
    /// The parts of an indicator that are visible. A signal handler may have removed some.
    package var marks: TerminalMarks

    package init(columns: Int, rows: Int = 0, typedBytes: Int = 0, isForeground: Bool, marks: TerminalMarks) {
        self.columns = columns
        self.rows = rows
        self.typedBytes = typedBytes
        self.isForeground = isForeground
        self.marks = marks
    }
}

/// The bytes of one write, and their effect on the visible parts.
package struct TerminalTransmission: Sendable {
    package var bytes: [UInt8]
    package var adds: TerminalMarks
    package var removes: TerminalMarks

    package init(_ bytes: String, adds: TerminalMarks = [], removes: TerminalMarks = []) {
        self.bytes = Array(bytes.utf8)
        self.adds = adds
        self.removes = removes
    }
}

/// The visible parts of an indicator, which a signal handler must remove.
package struct TerminalMarks: OptionSet, Sendable {
    package static let line = TerminalMarks(rawValue: 1)
    package static let progress = TerminalMarks(rawValue: 2)

    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }
}

package enum TerminalOutcome: Sendable, Equatable {
    /// The bytes were written, or there was nothing to write.
    case written
    /// The terminal is blocked, or another thread uses it.
    case busy
    /// The process runs in the background.
    case background
    /// There is no terminal, or a write failed.
    case failed
}
