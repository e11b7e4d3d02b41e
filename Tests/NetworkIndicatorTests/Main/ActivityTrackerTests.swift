import TestSupport
import Testing

/// Loads that could hang, crash or race, in subprocesses under a watchdog. With `--sanitize=thread`, the programs are
/// sanitized too, and exit with an error after a race.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct ActivityTrackerTests {
    private func run(_ arguments: String..., limit: Duration = .seconds(240)) async throws -> WatchedProcess {
        try await WatchedProcess.run("StressHost", arguments, limit: limit)
    }

    @Test(arguments: ["deinits", "deinitsMonitored"]) func deinitsThatCallTheManager(load: String) async throws {
        let process = try await run(load, "50000")
        #expect(process.end == .exited(0))
        #expect(process.output == "done\n")
        #expect(process.errors == "")
    }

    /// The control: the load hangs a manager that releases tokens under its lock.
    @Test func deinitsHangNaiveManager() async throws {
        let process = try await run("deinitsAgainstNaiveManager", "50000000")
        #expect(process.end == .exited(3))
        #expect(process.output == "stuck\n")
    }

    @Test func randomTasksOnEightThreads() async throws {
        let process = try await run("randomTasks", "1000000")
        #expect(process.end == .exited(0))
        #expect(process.output == "left 0, visible false\n")
        #expect(process.errors == "")
    }

    @Test func conditionsOnEightThreads() async throws {
        let process = try await run("conditions", "100000")
        #expect(process.end == .exited(0))
        #expect(process.output == "left 0, visible false\n")
        #expect(process.errors == "")
    }

    @Test func callersObjectsAreNotDeallocatedByOtherThreads() async throws {
        let process = try await run("mainObjects", "3000")
        #expect(process.end == .exited(0))
        #expect(process.output == "deallocated elsewhere 0\n")
        #expect(process.errors == "")
    }

    @Test func deallocatedTokensDoNotAccumulate() async throws {
        let process = try await run("beginAndDrop", "500000")
        #expect(process.end == .exited(0))
        let numbers = process.output.split { !$0.isNumber }.compactMap { Int($0) }
        try #require(numbers.count == 2)
        #expect(numbers.allSatisfy { (1..<1000).contains($0) })
    }
}
