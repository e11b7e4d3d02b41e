import Foundation
import NetworkIndicator

/// What is no pair of calls: memory, the longest begin, and what an idle manager costs.
enum SingleBenchmarks {
    static var all: [Benchmark] {
        [
            Benchmark(
                name: "memory.per-task", live: 1_000_000, unit: .bytes,
                measurement: .value(rounds: 3, quickRounds: 1) { try heapPerTask(1_000_000) }),
            Benchmark(
                name: "begin.longest", live: 10_000,
                measurement: .value(rounds: 31, quickRounds: 11) { longestBegin(10_000) }),
            Benchmark(
                name: "begin.longest", live: 1_000_000,
                measurement: .value(rounds: 5, quickRounds: 2) { longestBegin(1_000_000) }),
            Benchmark(
                name: "idle.wakeups", live: 0, unit: .count,
                measurement: .value(rounds: 3, quickRounds: 1) { try IdleProcess.wakeUpsOfManager() }),
        ]
    }

    /// Heap that a live weak task takes beyond the caller's object; the object's side table is counted.
    private static func heapPerTask(_ live: Int) throws -> Double {
        let manager = NetworkIndicatorManager()
        let tokens = (0..<live).map { _ in Token() }
        let before = try HeapUse.now
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        let after = try HeapUse.now
        withExtendedLifetime((manager, tokens)) {}
        return Double(after - before) / Double(live)
    }

    /// The longest of all begins from the first task to this many.
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
