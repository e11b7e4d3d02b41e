import NetworkIndicator
import NetworkIndicatorTerminal

/// A terminal in memory, whose state a test sets.
final class RecordingDevice: TerminalDevice {
    struct State: Sendable {
        var isTerminal = true
        var conditions = TerminalConditions(columns: 40, isForeground: true, marks: [])
        /// The result of every transmission.
        var outcome = TerminalOutcome.written
        fileprivate var written: [String] = []
    }

    private let state = Lock(State())

    var isTerminal: Bool { state.withLock { $0.isTerminal } }

    /// The parts that a signal handler would remove.
    var marks: TerminalMarks { state.withLock { $0.conditions.marks } }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func transmit(
        _ urgency: TerminalUrgency, _ compose: (TerminalConditions) -> [TerminalTransmission]
    ) -> TerminalOutcome {
        state.withLock { state in
            if urgency == .frame && !state.conditions.isForeground {
                state.conditions.marks = []
                return .background
            }
            let transmissions = compose(state.conditions)
            guard !transmissions.isEmpty else { return .written }
            guard state.outcome == .written else {
                if state.outcome == .failed { state.conditions.marks = [] }
                return state.outcome
            }
            for transmission in transmissions where !transmission.bytes.isEmpty {
                state.conditions.marks.formUnion(transmission.adds)
                state.conditions.marks.subtract(transmission.removes)
                state.written.append(String(decoding: transmission.bytes, as: UTF8.self))
            }
            return .written
        }
    }

    /// Returns the writes since the last call.
    func takeWritten() -> [String] {
        state.withLock { state in
            defer { state.written = [] }
            return state.written
        }
    }
}
