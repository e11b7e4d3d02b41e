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
    ///   - compose: What to write in view of the terminal's state, or `nil` for nothing. Called at most once.
    /// - Returns: What became of it.
    func transmit(
        _ urgency: TerminalUrgency, _ compose: (TerminalConditions) -> TerminalTransmission?
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
    /// Whether this process may draw without disturbing another: it does not run in the background.
    package var isForeground: Bool
    /// Whether a signal handler has cleaned up since the last transmission.
    package var wasCleaned: Bool

    package init(columns: Int, isForeground: Bool = true, wasCleaned: Bool = false) {
        self.columns = columns
        self.isForeground = isForeground
        self.wasCleaned = wasCleaned
    }
}

/// What is written, and what is to be seen on the terminal afterwards.
package struct TerminalTransmission: Sendable, Equatable {
    package var bytes: [UInt8]
    package var marks: TerminalMarks

    package init(_ bytes: String, leaving marks: TerminalMarks) {
        self.bytes = Array(bytes.utf8)
        self.marks = marks
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
