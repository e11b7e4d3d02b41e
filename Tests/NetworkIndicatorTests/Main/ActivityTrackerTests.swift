import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized)
struct ActivityTrackerTests {
    private func expect(_ output: String, of arguments: String...) async throws {
        let process = try await WatchedProcess.run("StressHost", arguments)
        #expect(process.end == .exited(0))
        #expect(process.output == output + "\n")
        #expect(process.errors == "")
    }

    @Test(arguments: ["deinits", "deinitsMonitored"]) func deinitsThatCallTheManager(load: String) async throws {
        try await expect("done", of: load, "50000")
    }

    @Test(arguments: ["mainObjects", "capturedObjects"])
    func callersObjectsAreNotDeallocatedByOtherThreads(load: String) async throws {
        try await expect("deallocated elsewhere 0", of: load, "3000")
    }
}
