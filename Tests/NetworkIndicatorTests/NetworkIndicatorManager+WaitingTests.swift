import Foundation
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

@MainActor
@Suite(.timeLimit(.minutes(10)))
final class WaitingTests: ManagerSuite {
    private func wait(_ note: @escaping @Sendable () -> Void = {}) async -> Task<Void, any Error> {
        let count = manager.waiterCount
        let waiting = Task.detached { [manager] in
            try await manager.waitUntilIdle()
            note()
        }
        while manager.waiterCount == count || isTurnUnscheduled { await Task.yield() }
        return waiting
    }

    private func wait(timeout: Duration) async -> Task<Void, any Error> {
        let waiting = Task { [manager] in try await manager.waitUntilIdle(timeout: timeout) }
        while manager.waiterCount == 0 || isTurnUnscheduled { await Task.yield() }
        return waiting
    }

    private var isTurnUnscheduled: Bool { manager.tracker.read(\.isTurnRequested) && !scheduler.hasWork }

    // MARK: Monitors

    @Test func waitersResumeAfterMonitorsHaveReceivedTheEnds() async throws {
        let (log, gate, isNotified) = (Lock<[String]>([]), DispatchSemaphore(value: 0), Lock(false))
        manager.attach(
            monitor: TextMonitor { line in
                guard line.contains(" finished ") else { return }
                let isFirst = isNotified.withLock { isNotified in
                    defer { isNotified = true }
                    return !isNotified
                }
                if isFirst { gate.wait() }
                log.withLock { $0.append("ended") }
            })
        let (first, last) = (manager.beganNetworkTask(), manager.beganNetworkTask())
        let note: @Sendable () -> Void = { log.withLock { $0.append("waited") } }
        let (cancelled, patient) = (await wait(), await wait(note))
        Thread { first.finish() }.start()
        while !isNotified.withLock({ $0 }) { await Task.yield() }
        let late: Task<Void, any Error>
        do {
            defer { gate.signal() }
            last.finish()
            try #require(manager.waiterCount == 2)
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            late = await wait(note)
            for _ in 0..<10_000 { await Task.yield() }
            #expect(manager.waiterCount == 2)
            #expect(log.withLock { $0 } == [])
        }
        try await patient.value
        try await late.value
        #expect(log.withLock { $0 } == ["ended", "ended", "waited", "waited"])
        #expect(manager.waiterCount == 0)
    }

    // MARK: Timeouts and cancellations

    @Test func aTimeoutThrowsTheRemainingTasks() async throws {
        let token = manager.beganNetworkTask(label: "GET http://host/path", line: 12)
        settle()
        let waiting = await wait(timeout: .seconds(73))
        scheduler.advance(by: .seconds(72))
        #expect(manager.waiterCount == 1)
        scheduler.advance(by: .seconds(1))
        let error = try #require(await #expect(throws: NetworkBusyError.self) { try await waiting.value })
        #expect(error.tasks.map(\.label) == ["GET http://host/path"])
        for fact in ["still under way: 1\n", "GET http://host/path", "73 s", "WaitingTests.swift:12"] {
            #expect("\(error)".contains(fact))
        }
        #expect(manager.waiterCount == 0)
        settle()
        #expect(scheduler.timerCount == 0)
        token.finish()
    }

    @Test(arguments: [false, true]) func waitThatEndsInTimeLeavesNoTimer(isCancelled: Bool) async throws {
        let token = manager.beganNetworkTask()
        let waiting = await wait(timeout: .seconds(Int64.max))
        settle()
        #expect(scheduler.timerCount == 1)
        if isCancelled {
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        } else {
            token.finish()
            settle()
            try await waiting.value
        }
        settle()
        #expect(scheduler.timerCount == 0)
        #expect(manager.waiterCount == 0)
        withExtendedLifetime(token) {}
    }

    @Test func idleManagerNeedsNoTime() async throws {
        manager.attach(RecordingIndicator())
        try await manager.waitUntilIdle(timeout: .seconds(-1))
    }

    @Test func aTimeoutDoesNotThrowWithoutATask() async throws {
        manager.updateConfiguration { $0.showDelay = .seconds(10) }
        var tokens = (0..<5000).map { _ in Token() }
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        settle()
        let waiting = await wait(timeout: .milliseconds(50))
        settle()
        scheduler.advance(by: .milliseconds(20))
        tokens = []
        scheduler.advance(by: .milliseconds(30))
        try await waiting.value
    }

    @Test func aWaitTimesOutInANestedRunLoopOfAnIndicator() async {
        manager.updateConfiguration { $0.showDelay = .milliseconds(100) }
        let token = manager.beganNetworkTask()
        let waiting = await wait(timeout: .milliseconds(100))
        let counts = Lock<[Int]>([])
        manager.attach { [manager, scheduler] isVisible in
            guard isVisible else { return }
            counts.withLock { [count = manager.waiterCount] in $0.append(count) }
            scheduler.advance(by: .zero)
            counts.withLock { [count = manager.waiterCount] in $0.append(count) }
        }
        scheduler.advance(by: .milliseconds(100))
        #expect(counts.withLock { $0 } == [1, 0])
        await #expect(throws: NetworkBusyError.self) { try await waiting.value }
        token.finish()
    }

    @Test func callersThatTimeOutTogetherCheckTheTasksOnce() async throws {
        let (calls, token) = (Lock(0), Token())
        manager.beganNetworkTask(withToken: token) { _ in
            calls.withLock { $0 += 1 }
            return true
        }
        let waits = (0..<20).map { _ in Task { [manager] in try await manager.waitUntilIdle(timeout: .seconds(1)) } }
        while manager.waiterCount < 20 || isTurnUnscheduled { await Task.yield() }
        scheduler.advance(by: .milliseconds(999))
        calls.withLock { $0 = 0 }
        scheduler.advance(by: .milliseconds(1))
        #expect((1...4).contains(calls.withLock { $0 }))
        for wait in waits { await #expect(throws: NetworkBusyError.self) { try await wait.value } }
    }
}
