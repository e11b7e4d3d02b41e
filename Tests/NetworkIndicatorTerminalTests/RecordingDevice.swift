import NetworkIndicator
import NetworkIndicatorTerminal

/// A terminal in memory, in whatever condition a test puts it.
final class RecordingDevice: TerminalDevice {
    struct State: Sendable {
        var isTerminal = true
        var conditions = TerminalConditions(columns: 40)
        /// What comes of every transmission.
        var outcome = TerminalOutcome.written
        var transmissions: [TerminalTransmission] = []
    }

    private let state = Lock(State())

    var isTerminal: Bool { state.withLock { $0.isTerminal } }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func transmit(
        _ urgency: TerminalUrgency, _ compose: (TerminalConditions) -> TerminalTransmission?
    ) -> TerminalOutcome {
        state.withLock { state in
            if urgency == .frame && !state.conditions.isForeground { return .background }
            guard state.outcome == .written else { return state.outcome }
            defer { state.conditions.wasCleaned = false }
            if let transmission = compose(state.conditions), !transmission.bytes.isEmpty {
                state.transmissions.append(transmission)
            }
            return .written
        }
    }

    /// What has been written since the last call, a string for each write.
    func takeWritten() -> [String] {
        state.withLock { state in
            defer { state.transmissions = [] }
            return state.transmissions.map { String(decoding: $0.bytes, as: UTF8.self) }
        }
    }

    /// What a signal handler would have to clean up.
    var marks: TerminalMarks { state.withLock { $0.transmissions.last?.marks ?? [] } }
}
