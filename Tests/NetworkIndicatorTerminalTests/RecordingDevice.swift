import NetworkIndicator
import NetworkIndicatorTerminal

/// A terminal in memory, whose state a test sets.
final class RecordingDevice: TerminalDevice {
    struct State: Sendable {
        var isTerminal = true
        var isOutputDelayed = false
        var conditions = TerminalConditions(columns: 48)
        /// The result of every frame.
        var outcome = TerminalOutcome.written
        fileprivate var written: [String] = []
    }

    private let state = Lock(State())

    var conditions: TerminalConditions? { state.withLock { $0.isTerminal ? $0.conditions : nil } }

    var isOutputDelayed: Bool { state.withLock { $0.isOutputDelayed } }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func wait(within milliseconds: Int32) -> TerminalOutcome { state.withLock { $0.outcome } }

    func draw(_ frame: String) -> TerminalOutcome {
        state.withLock { state in
            if state.outcome == .written { state.written.append(frame) }
            return state.outcome
        }
    }

    func write(_ text: String) { state.withLock { $0.written.append(text) } }

    /// Returns the writes since the last call.
    func takeWritten() -> [String] {
        state.withLock { state in
            defer { state.written = [] }
            return state.written
        }
    }
}
