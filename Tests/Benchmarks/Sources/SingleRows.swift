import Foundation
import NetworkIndicator

enum SingleRows {
    static var all: [Row] {
        [
            Row(
                name: "begin.longest", live: 10_000,
                method: .value(rounds: 31, quickRounds: 11) {
                    let manager = NetworkIndicatorManager()
                    return longest(10_000) { manager.beganNetworkTask(withToken: $0) }
                }),
            Row(
                name: "baseline.insertion.longest", live: 10_000,
                method: .value(rounds: 31, quickRounds: 11) {
                    var dictionary: [ObjectIdentifier: DictionaryEntry] = [:]
                    return longest(10_000) { dictionary[ObjectIdentifier($0)] = DictionaryEntry(token: $0) }
                }),
            Row(
                name: "idle.wake-ups", live: 0, unit: .count,
                method: .value(rounds: 3, quickRounds: 1) { try IdleProcess.wakeUpsOfManager() }),
            Row(
                name: "show-and-hide.\(CycleProcess.count)-cycles", live: 0, unit: .bytes,
                method: .value(rounds: 3, quickRounds: 1) { try Subprocess(.cycles).number() }),
        ]
    }

    private struct DictionaryEntry {
        weak var token: Token?
        var began = SuspendingClock().now
    }

    /// In nanoseconds.
    private static func longest(_ live: Int, _ step: (Token) -> Void) -> Double {
        let clock = ContinuousClock()
        let tokens = (0..<live).map { _ in Token() }
        var longest = Duration.zero
        for token in tokens { longest = max(longest, clock.measure { step(token) }) }
        return longest / .nanoseconds(1)
    }
}
