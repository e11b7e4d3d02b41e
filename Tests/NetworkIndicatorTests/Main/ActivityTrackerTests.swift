import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized)
struct ActivityTrackerTests {
    private func expect(_ output: String, errors: String = "", of arguments: String...) async throws {
        let process = try await WatchedProcess.run("StressHost", arguments)
        #expect(process.end == .exited(0))
        #expect(process.output == output + "\n")
        #expect(process.errors == errors)
    }

    @Test(arguments: ["deinits", "deinitsMonitored"]) func deinitsThatCallTheManager(load: String) async throws {
        try await expect("done", of: load, "50000")
    }

    @Test(arguments: ["mainObjects", "capturedObjects"])
    func callersObjectsAreNotDeallocatedByOtherThreads(load: String) async throws {
        let warning = "network: a NetworkIndicatorManager was released during its tasks: keep a reference to it\n"
        try await expect("deallocated elsewhere 0", errors: load == "mainObjects" ? warning : "", of: load, "3000")
    }
}
