import Foundation
import Testing

@Suite struct OracleTests {
    /// `ORACLE_SEED=…` runs a single schedule, and `ORACLE_SCHEDULES=…` sets the number of schedules.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @MainActor
    @Test func managerKeepsItsPromisesUnderEverySchedule() async {
        let environment = ProcessInfo.processInfo.environment
        var seeds = 0..<(environment["ORACLE_SCHEDULES"].flatMap { UInt64($0) } ?? 3_000)
        if let seed = environment["ORACLE_SEED"].flatMap({ UInt64($0) }) { seeds = seed..<(seed + 1) }
        var failures: [String: (count: Int, firstSeed: UInt64)] = [:]
        for seed in seeds {
            if let violation = await OracleRun.violation(of: OracleScript(seed: seed)) {
                failures[violation, default: (0, seed)].count += 1
            }
            if seed % 100 == 99 { await Task.yield() }
        }
        for (violation, failure) in failures.sorted(by: { $0.value.firstSeed < $1.value.firstSeed }) {
            let shortest = await OracleScript(seed: failure.firstSeed)
                .shrunk { await OracleRun.violation(of: $0) == violation }
            Issue.record(
                """
                \(violation) (\(failure.count) schedules), after
                \(shortest)
                Replay: ORACLE_SEED=\(failure.firstSeed) swift test --filter OracleTests
                """)
        }
        // `.ci/oracle` requires this line, which shows that the schedules have run.
        if environment["ORACLE_SCHEDULES"] != nil { print("Compared \(seeds.count) schedules with the promises.") }
    }
}
