/// The descriptor that is drawn on, and all that is asked of the system about it.
///
/// One implementation writes to standard error, another one, in the tests, into memory.
package protocol TerminalDevice: Sendable {
    /// Whether the descriptor is a terminal.
    var isTerminal: Bool { get }

    /// Looks at the terminal and writes, with no other writer and no signal handler in between.
    ///
    /// - Parameters:
    ///   - urgency: What happens where the terminal takes nothing at the moment.
    ///   - compose: What to write, one after the other, in view of the terminal's state. Called at most once.
    /// - Returns: What became of it.
    func transmit(
        _ urgency: TerminalUrgency, _ compose: (TerminalConditions) -> [TerminalTransmission]
    ) -> TerminalOutcome
}

package enum TerminalUrgency: Sendable {
    /// Written at once or not at all, and only in the foreground.
    case frame
    /// Written in any case, however long that takes.
    case text
}

/// The terminal at the moment of writing.
package struct TerminalConditions: Sendable {
    /// The window's width; 0 where unknown.
    package var columns: Int
    /// The window's height; 0 where unknown.
    package var rows: Int
    /// How many bytes of lines that were typed, and echoed, have not been read yet.
    package var typedBytes: Int
    /// Whether this process may draw without disturbing another: it does not run in the background.
    package var isForeground: Bool
    /// What of an indicator is to be seen: less than was transmitted if a signal handler has cleaned up since.
    package var marks: TerminalMarks

    package init(columns: Int, rows: Int = 0, typedBytes: Int = 0, isForeground: Bool, marks: TerminalMarks) {
        self.columns = columns
        self.rows = rows
        self.typedBytes = typedBytes
        self.isForeground = isForeground
        self.marks = marks
    }
}

/// What is written in one go, and what that changes of what is to be seen.
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

/// What of an indicator is to be seen on the terminal: what a signal handler must clean up.
package struct TerminalMarks: OptionSet, Sendable {
    package static let line = TerminalMarks(rawValue: 1)
    package static let progress = TerminalMarks(rawValue: 2)

    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }
}

package enum TerminalOutcome: Sendable, Equatable {
    /// Written; or there was nothing to write.
    case written
    /// The terminal takes nothing at the moment.
    case busy
    /// The process runs in the background.
    case background
    /// The terminal is gone.
    case failed
}
