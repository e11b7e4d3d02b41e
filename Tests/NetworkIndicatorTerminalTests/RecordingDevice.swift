import NetworkIndicator
import NetworkIndicatorTerminal

final class RecordingDevice: TerminalDevice {
    struct State: Sendable {
        var isTerminal = true
        var isOutputDelayed = false
        var conditions = TerminalConditions(columns: 48)
        var outcome = TerminalOutcome.written
        var room = Int.max
        fileprivate var written: [[UInt8]] = []
    }

    private let state = Lock(State())

    var conditions: TerminalConditions? { state.withLock { $0.isTerminal ? $0.conditions : nil } }

    var isOutputDelayed: Bool { state.withLock { $0.isOutputDelayed } }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func wait(within milliseconds: Int32) -> TerminalOutcome { state.withLock { $0.outcome } }

    func draw(_ bytes: [UInt8]) -> Int? {
        state.withLock { state in
            guard state.outcome == .written else { return state.outcome == .busy ? 0 : nil }
            state.written.append(Array(bytes.prefix(state.room)))
            return min(bytes.count, state.room)
        }
    }

    func write(_ text: String) { state.withLock { $0.written.append(Array(text.utf8)) } }

    func release() {}

    func takeWritten() -> [String] { takeBytes().map { String(decoding: $0, as: UTF8.self) } }

    func takeBytes() -> [[UInt8]] {
        state.withLock { state in
            defer { state.written = [] }
            return state.written
        }
    }
}
