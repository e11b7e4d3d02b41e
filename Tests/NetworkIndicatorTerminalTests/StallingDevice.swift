import NetworkIndicator
import NetworkIndicatorTerminal

/// A terminal in memory that blocks until a closure of the test returns.
final class StallingDevice: TerminalDevice {
    let memory = RecordingDevice()
    private let stall = Lock<(@Sendable () -> Void)?>(nil)
    private let frameStall = Lock<(@Sendable () -> Void)?>(nil)

    var conditions: TerminalConditions? { memory.conditions }
    var isOutputDelayed: Bool { memory.isOutputDelayed }

    /// Runs `body` in the middle of the next text, after half of it is written.
    func stallNextText(_ body: @escaping @Sendable () -> Void) { stall.withLock { $0 = body } }

    /// Runs `body` before the next frame is written.
    func stallNextFrame(_ body: @escaping @Sendable () -> Void) { frameStall.withLock { $0 = body } }

    /// A terminal that is blocked accepts bytes as soon as something waits for that.
    func wait(within milliseconds: Int32) -> TerminalOutcome {
        if milliseconds != 0 { memory.change { $0.outcome = .written } }
        return memory.wait(within: milliseconds)
    }

    func draw(_ frame: String) -> TerminalOutcome {
        frameStall.withLock { $0.take() }?()
        return memory.draw(frame)
    }

    func write(_ text: String) {
        memory.write(text)
        stall.withLock { $0.take() }?()
    }
}
