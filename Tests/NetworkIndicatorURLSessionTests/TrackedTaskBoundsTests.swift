import TestSupport
import Testing

/// `URLSessionTask.tracked()` in real time, with a real server, in a subprocess. `TrackedTaskTests` checks its bounds on
/// clocks that the tests advance.
@Suite("tracked() in real time", .timeLimit(.minutes(10)))
struct TrackedTaskBoundsTests {
    private func run(_ scene: String, _ count: Int = 1) async throws -> [String: Int] {
        let host = try await WatchedProcess.run("TrackedTaskHost", [scene, "\(count)"], hasOwnTemporaryDirectory: true)
        try #require(host.end == .exited(0), "\(host)")
        let lines = host.output.split(separator: "\n").map { $0.split(separator: ": ").map(String.init) }
        return Dictionary(lines.map { ($0[0], Int($0[1]) ?? ($0[1] == "true" ? 1 : 0)) }) { $1 }
    }

    @Test("waitUntilIdle() after .tracked().resume() never returns early")
    func idleWaits() async throws {
        #expect(try await run("idle-waits", 400) == ["early": 0])
    }

    @Test("A task is shown after its resume, up to ten seconds after tracked()")
    func lateResumes() async throws {
        #expect(try await run("late-resumes") == ["shown": 6])
    }

    @Test("Tasks that are never resumed share one timer, which ends with them")
    func parkedTasks() async throws {
        let report = try await run("parked-tasks", 200)
        let idle = try #require(report["idle"])
        // The timer fires at most 25 times a second for five seconds. Each time, it wakes Dispatch's timer thread and a
        // worker thread.
        #expect(try #require(report["parked"]) <= idle + 25 * 5 * 2, "\(report)")
        #expect(try #require(report["cancelled"]) <= idle + 25, "\(report)")
        #expect(report["tasks"] == 0)
        #expect(report["shown"] == 0 || report["held up"] == 1)
    }

    @Test("A storm of tasks and cancellations in a tracked session leaves no task")
    func sessionStorm() async throws {
        let report = try await run("session-storm", 20)
        #expect(report["whole"] == 66 * 20)
        #expect(report["cancelled"] == 34 * 20)
        #expect(report["wrong"] == 0)
        #expect(report["tasks"] == 0)
    }

    @Test("Tasks are shown while the cooperative thread pool is blocked")
    func blockedPool() async throws {
        let report = try await run("blocked-pool")
        #expect(report == ["blocked": 1, "shown at once": 1, "off": 1, "shown later": 1])
    }
}
