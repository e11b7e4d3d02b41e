import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

/// When `waitUntilIdle(timeout:)` returns, and how fast the manager polls for a wait.
@MainActor
@Suite(.timeLimit(.minutes(10)))
final class WaitingLimitTests: ManagerSuite {
    @Test func timeLimitThrowsTheRemainingTasks() async throws {
        let token = manager.beganNetworkTask(label: "GET http://host/path", line: 12)
        settle()
        let waiting = Task { [manager] in try await manager.waitUntilIdle(timeout: .seconds(73)) }
        await untilWaiting(1)
        scheduler.advance(by: .seconds(72))
        #expect(manager.waiterCount == 1)
        scheduler.advance(by: .seconds(1))
        let error = await #expect(throws: NetworkBusyError.self) { try await waiting.value }
        #expect(error?.tasks.map(\.label) == ["GET http://host/path"])
        #expect(
            error?.description == """
                1 task is still under way:
                  GET http://host/path, 73 s, begun at NetworkIndicatorTests/WaitingLimitTests.swift:12
                """)
        #expect(manager.waiterCount == 0)
        settle()
        #expect(scheduler.timerCount == 0)
        token.finish()
    }

    @Test func waitThatEndsInTimeLeavesNoTimer() async throws {
        let token = manager.beganNetworkTask()
        let waiting = Task { [manager] in try await manager.waitUntilIdle(timeout: .seconds(Int64.max)) }
        await untilWaiting(1)
        settle()
        #expect(scheduler.timerCount == 1)
        token.finish()
        settle()
        try await waiting.value
        settle()
        #expect(scheduler.timerCount == 0)
    }

    @Test func cancelledWaitWithALimitLeavesNoTimer() async throws {
        manager.incrementActivityCount()
        let waiting = Task { [manager] in try await manager.waitUntilIdle(timeout: .seconds(60)) }
        await untilWaiting(1)
        settle()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        settle()
        #expect(scheduler.timerCount == 0)
    }

    /// A negative limit counts as zero: the wait succeeds only if the manager is idle.
    @Test func idleManagerNeedsNoTime() async throws {
        try await manager.waitUntilIdle(timeout: .seconds(-1))
    }

    /// A long `completionCheckInterval` therefore doesn't delay the exit of a program that waits.
    @Test func weakTokensArePolledEvery100MillisecondsMeanwhile() async throws {
        manager.completionCheckInterval = .seconds(3600)
        var token: Token? = Token()
        manager.beganNetworkTask(withToken: token!)
        // Without a wait, the next poll would come after about a minute.
        scheduler.advance(by: .seconds(600))
        let waiting = Task { [manager] in try await manager.waitUntilIdle() }
        await untilWaiting(1)
        settle()
        scheduler.advance(by: .milliseconds(250))
        #expect(manager.waiterCount == 1)
        token = nil
        scheduler.advance(by: .milliseconds(100))
        defer { waiting.cancel() }
        try #require(manager.waiterCount == 0)
        try await waiting.value
        #expect(scheduler.timerCount == 0)
    }

    /// Returns when this many calls wait in the manager's list.
    private func untilWaiting(_ count: Int) async {
        while manager.waiterCount < count { await Task.yield() }
    }
}
