import Foundation
import Testing

/// Compares the manager with a simple reference under random schedules.
@Suite struct OracleTests {
    /// `ORACLE_SEED=…` runs one schedule. `ORACLE_SCHEDULES=…` sets the number of schedules.
    @MainActor
    @Test func managerAgreesWithTheReferenceUnderEverySchedule() async {
        let environment = ProcessInfo.processInfo.environment
        let seeds: Range<UInt64>
        if let seed = environment["ORACLE_SEED"].flatMap({ UInt64($0) }) {
            seeds = seed..<(seed + 1)
        } else {
            seeds = 0..<(environment["ORACLE_SCHEDULES"].flatMap { UInt64($0) } ?? 3_000)
        }
        for seed in seeds {
            let script = OracleScript(seed: seed)
            if OracleRun.violation(of: script) != nil {
                let shortest = script.shrunk { OracleRun.violation(of: $0) != nil }
                let violation = OracleRun.violation(of: shortest)!
                Issue.record(
                    """
                    \(violation), after
                    \(shortest)
                    Replay: ORACLE_SEED=\(seed) swift test --filter OracleTests
                    """)
                return
            }
            // This lets other tests run on the main actor.
            if seed % 100 == 99 { await Task.yield() }
        }
        print("Compared \(seeds.count) schedules with the reference.")
    }
}
