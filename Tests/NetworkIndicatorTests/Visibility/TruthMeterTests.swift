import TestSupport
import Testing

/// Compares the indicator with the real activity of threads, with a real main loop, in subprocesses.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct TruthMeterTests {
    enum Verdict: Int32 {
        case matches, differs, inconclusive
    }

    private func measure(_ manager: String, _ host: String) async throws -> (Verdict, String) {
        let process = try await WatchedProcess.run("TruthMeterHost", [manager, host, "6"])
        guard case .exited(let status) = process.end else {
            Issue.record("\(process)")
            return (.inconclusive, "")
        }
        return (try #require(Verdict(rawValue: status), "\(process)"), process.output)
    }

    private func expect(_ expected: Verdict, of manager: String, _ host: String) async throws {
        for _ in 0..<6 {
            let (verdict, output) = try await measure(manager, host)
            if verdict == .inconclusive { continue }
            #expect(verdict == expected, "\(output)")
            return
        }
        Issue.record("the machine was too busy for a result")
    }

    @Test(arguments: ["runLoop", "dispatchMain"])
    func managerMatchesTheActivity(host: String) async throws { try await expect(.matches, of: "manager", host) }

    /// The control: a manager that sends edges instead of reading the current state.
    @Test(arguments: ["runLoop", "dispatchMain"])
    func edgeTriggeredManagerIsRejected(host: String) async throws { try await expect(.differs, of: "control", host) }
}
