import NetworkIndicator
import TestSupport

@testable import NetworkIndicatorTerminal

final class RecordingDevice: TerminalDevice {
    struct State: Sendable {
        var isTerminal = true
        var isOutputDelayed = false
        var isIdle = true
        var conditions = TerminalConditions(columns: 48, rows: 24)
        var outcome = TerminalOutcome.written
        var room = Int.max
        fileprivate(set) var emulator = TerminalEmulator(columns: 48)
        fileprivate var written: [[UInt8]] = []

        mutating func clear() { emulator = TerminalEmulator(columns: conditions.columns) }

        fileprivate mutating func receive(_ bytes: some Collection<UInt8>) {
            written.append(Array(bytes))
            emulator.feed(bytes)
        }
    }

    enum Step { case text, frame, wait }

    private let state = Lock(State())
    private let stall = Lock<(step: Step, body: @Sendable () -> Void)?>(nil)

    var conditions: TerminalConditions? { state.withLock { $0.isTerminal ? $0.conditions : nil } }

    var isOutputDelayed: Bool { state.withLock { $0.isOutputDelayed } }

    var isIdle: Bool { state.withLock { $0.isIdle } }

    func change(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            state.emulator.resize(columns: state.conditions.columns)
        }
    }

    /// Calls `body` during the next step of this kind.
    func stallNext(_ step: Step, _ body: @escaping @Sendable () -> Void) { stall.withLock { $0 = (step, body) } }

    private func stall(_ step: Step) { stall.withLock { $0?.step == step ? $0.take() : nil }?.body() }

    /// A blocked terminal accepts output again during a wait.
    func wait(within milliseconds: Int32) -> TerminalOutcome {
        if milliseconds != 0 {
            stall(.wait)
            change { if $0.outcome == .busy { $0.outcome = .written } }
        }
        return state.withLock { $0.outcome }
    }

    func draw(_ bytes: [UInt8]) -> Int? {
        stall(.frame)
        return state.withLock { state in
            guard state.outcome == .written else { return state.outcome == .busy ? 0 : nil }
            state.receive(bytes.prefix(state.room))
            return min(bytes.count, state.room)
        }
    }

    func write(_ text: String) {
        state.withLock { $0.receive(text.utf8) }
        stall(.text)
    }

    func discard() { change { $0.outcome = .written } }

    // MARK: What the terminal shows

    var emulator: TerminalEmulator { state.withLock { $0.emulator } }

    var rows: [String] { emulator.rows }

    /// The output since the last call, one string for each write.
    func takeWritten() -> [String] {
        state.withLock { state in
            defer { state.written = [] }
            return state.written.map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
