import NetworkIndicator
import NetworkIndicatorTerminal

/// A terminal in memory that blocks until a closure of the test returns.
final class StallingDevice: TerminalDevice {
    let memory = RecordingDevice()
    private let stall = Lock<(urgency: TerminalUrgency, body: @Sendable () -> Void)?>(nil)

    var isTerminal: Bool { true }

    /// Blocks the next text or frame, after it is written, until `body` has returned.
    func stallNext(_ urgency: TerminalUrgency, _ body: @escaping @Sendable () -> Void) {
        stall.withLock { $0 = (urgency, body) }
    }

    func transmit(
        _ urgency: TerminalUrgency, _ compose: (TerminalConditions) -> [TerminalTransmission]
    ) -> TerminalOutcome {
        let outcome = memory.transmit(urgency, compose)
        stall.withLock { $0?.urgency == urgency ? $0.take() : nil }?.body()
        return outcome
    }
}
