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

    @Test(arguments: ["runLoop", "dispatchMain"])
    func managerMatchesTheActivity(host: String) async throws {
        for _ in 0..<6 {
            let (verdict, output) = try await measure("manager", host)
            #expect(verdict != .differs, "\(output)")
            if verdict != .inconclusive { return }
        }
        Issue.record("the machine was too busy for a result")
    }

    /// The control: a manager that sends edges instead of reading the current state.
    @Test(arguments: ["runLoop", "dispatchMain"])
    func edgeTriggeredManagerIsRejected(host: String) async throws {
        for _ in 0..<6 where try await measure("control", host).0 == .differs { return }
        Issue.record("the meter did not reject an edge-triggered manager")
    }
}
