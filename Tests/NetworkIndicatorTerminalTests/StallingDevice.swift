import NetworkIndicator

@testable import NetworkIndicatorTerminal

final class StallingDevice: TerminalDevice {
    let memory = RecordingDevice()
    private let stall = Lock<(step: Step, body: @Sendable () -> Void)?>(nil)

    enum Step { case text, frame, wait }

    var conditions: TerminalConditions? { memory.conditions }
    var isOutputDelayed: Bool { memory.isOutputDelayed }

    func stallNext(_ step: Step, _ body: @escaping @Sendable () -> Void) { stall.withLock { $0 = (step, body) } }

    private func stall(_ step: Step) { stall.withLock { $0?.step == step ? $0.take() : nil }?.body() }

    func wait(within milliseconds: Int32) -> TerminalOutcome {
        if milliseconds != 0 {
            stall(.wait)
            memory.change { ($0.outcome, $0.room) = (.written, .max) }
        }
        return memory.wait(within: milliseconds)
    }

    func draw(_ bytes: [UInt8]) -> Int? {
        stall(.frame)
        return memory.draw(bytes)
    }

    func write(_ text: String) {
        memory.write(text)
        stall(.text)
    }

    func release() {}
}
