import Foundation
import NetworkIndicator

/// The heap for a task, the longest begin, and the wake-ups of an idle manager.
enum SingleRows {
    static var all: [Row] {
        [
            Row(
                name: "begin.longest", live: 10_000,
                method: .value(rounds: 31, quickRounds: 11) { longestBegin(10_000) }),
            Row(
                name: "memory.per-task", live: 1_000_000, unit: .bytes,
                method: .value(rounds: 3, quickRounds: 1) { try heapPerTask(1_000_000) }),
            Row(
                name: "idle.wake-ups", live: 0, unit: .count,
                method: .value(rounds: 3, quickRounds: 1) { try IdleProcess.wakeUpsOfManager() }),
        ]
    }

    /// The heap that a live weak task needs beside the caller's object, including that object's side table.
    private static func heapPerTask(_ live: Int) throws -> Double {
        let manager = NetworkIndicatorManager()
        let tokens = (0..<live).map { _ in Token() }
        // Waits until the main thread has released the manager of the last round.
        DispatchQueue.main.sync {}
        let before = try HeapUse.now
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        let after = try HeapUse.now
        withExtendedLifetime((manager, tokens)) {}
        return Double(after - before) / Double(live)
    }

    /// The longest begin while a manager grows to this many tasks.
    private static func longestBegin(_ live: Int) -> Double {
        let clock = ContinuousClock()
        let manager = NetworkIndicatorManager()
        let tokens = (0..<live).map { _ in Token() }
        var longest = Duration.zero
        for token in tokens {
            longest = max(longest, clock.measure { manager.beganNetworkTask(withToken: token) })
        }
        return longest / .nanoseconds(1)
    }
}
