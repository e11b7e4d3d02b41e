import TestSupport
import Testing

/// The bounds of `URLSessionTask.tracked()` in real time, with a real server, in a subprocess.
///
/// Each scene runs once. The host reports its `stall`: the longest delay of its threads. The limits grow with it.
@Suite("tracked() keeps its bounds", .timeLimit(.minutes(10)))
struct TrackedTaskBoundsTests {
    private func run(_ scene: String, _ count: Int = 1) async throws -> [String: Int] {
        let host = try await WatchedProcess.run("TrackedTaskHost", [scene, "\(count)"], hasOwnTemporaryDirectory: true)
        try #require(host.end == .exited(0), "\(host)")
        let lines = host.output.split(separator: "\n").map { $0.split(separator: ": ").map(String.init) }
        return Dictionary(lines.map { ($0[0], Int($0[1]) ?? ($0[1] == "true" ? 1 : 0)) }) { $1 }
    }

    @Test("waitUntilIdle() after .tracked().resume() never returns early, and returns soon after the end")
    func idleWaits() async throws {
        let report = try await run("idle-waits", 400)
        #expect(report["early"] == 0)
        // Waits don't count if the machine holds them up between `tracked()` and `resume()`.
        #expect(try #require(report["counted"]) > 40, "the machine was too busy for a result")
        let stall = try #require(report["stall"])
        #expect((0...250 + 4 * stall).contains(try #require(report["median"])), "\(report)")
    }

    @Test("A single request under 100 ms isn't shown")
    func shortRequests() async throws {
        let report = try await run("short-requests", 40)
        for length in [75, 85] {
            // Requests don't count if the machine delays them to 95 ms. The machine may also delay what detects the end.
            let counted = try #require(report["counted \(length)"])
            #expect(counted > 0, "the machine was too busy for a result")
            #expect(try #require(report["shown \(length)"]) <= counted / 4, "\(report)")
        }
    }

    @Test("A task that is resumed up to ten seconds after tracked() is shown within 160 ms")
    func lateResumes() async throws {
        let report = try await run("late-resumes", 8)
        let stall = try #require(report["stall"])
        for pause in [0.02, 0.15, 1.3, 2.3, 3.3, 9.5] {
            #expect(report["never after \(pause)"] == 0)
            #expect((0...160 + stall).contains(try #require(report["fastest after \(pause)"])), "\(report)")
        }
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
        #expect(report == ["shown at once": 1, "off": 1, "shown before its resume": 0, "shown later": 1])
    }
}
