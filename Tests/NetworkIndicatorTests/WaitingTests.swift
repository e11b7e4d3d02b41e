import Foundation
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

/// The calls `waitUntilIdle()` and `waitUntilIdle(timeout:)`.
@MainActor
@Suite(.timeLimit(.minutes(10)))
final class WaitingTests: ManagerSuite {
    @Test func waitReturnsAtOnceWhenIdle() async throws {
        try await expectThatAWaitReturnsAtOnce()
        do {
            let token = Token()
            manager.beganNetworkTask(withToken: token)
        }
        // A turn detects the deallocation.
        try await expectThatAWaitReturnsAtOnce { settle() }
    }

    private func expectThatAWaitReturnsAtOnce(after turn: () -> Void = {}) async throws {
        let hasReturned = Lock(false)
        let waiting = Task { [manager] in
            try await manager.waitUntilIdle()
            hasReturned.withLock { $0 = true }
        }
        while !hasReturned.withLock({ $0 }), manager.waiterCount == 0 { await Task.yield() }
        turn()
        try #require(manager.waiterCount == 0)
        try await waiting.value
    }

    /// A live task would hide the deallocated token until the next poll.
    @Test func waitExaminesEveryTokenFirst() async throws {
        manager.completionCheckInterval = .seconds(3600)
        let opaque = manager.beganNetworkTask()
        do {
            let token = Token()
            manager.beganNetworkTask(withToken: token)
            settle()
        }
        let waiting = Task { [manager] in try await manager.waitUntilIdle() }
        await untilWaiting(1)
        opaque.finish()
        settle()
        try #require(manager.waiterCount == 0)
        try await waiting.value
    }

    /// After a wait, a monitor's log contains the end of the task.
    @Test func monitorsReceiveTheEndBeforeWaitersResume() async throws {
        let scheduler = ManualScheduler()
        var configuration = NetworkIndicatorManager.Configuration.immediate
        configuration.showDelay = .seconds(1)
        let manager = NetworkIndicatorManager(configuration: configuration, scheduler: scheduler)
        let order = Lock<[String]>([])
        final class Monitor: NetworkTaskMonitor {
            let order: Lock<[String]>
            init(_ order: Lock<[String]>) { self.order = order }
            func networkIndicator(_ event: NetworkTaskEvent) {
                guard case .ended = event else { return }
                // If a waiter were resumed too early, it would run now.
                for _ in 0..<10_000 { sched_yield() }
                order.withLock { $0.append("ended") }
            }
        }
        manager.attach(Monitor(order))
        let token = manager.beganNetworkTask()
        let waiting = Task.detached {
            try await manager.waitUntilIdle()
            order.withLock { $0.append("waited") }
        }
        while manager.waiterCount == 0 { await Task.yield() }
        token.finish()
        try await waiting.value
        #expect(order.withLock { $0 } == ["ended", "waited"])
    }

    /// This also applies if another thread delivers the events.
    @Test func monitorsReceiveTheEndFirstFromAnyThread() async throws {
        let scheduler = ManualScheduler()
        var configuration = NetworkIndicatorManager.Configuration.immediate
        configuration.showDelay = .seconds(1)
        let manager = NetworkIndicatorManager(configuration: configuration, scheduler: scheduler)
        let monitor = SlowMonitor()
        manager.attach(monitor)
        let (first, last) = (manager.beganNetworkTask(), manager.beganNetworkTask())
        let waiting = Task.detached {
            try await manager.waitUntilIdle()
            monitor.log.withLock { $0.append("waited") }
        }
        while manager.waiterCount == 0 { await Task.yield() }
        let thread = Thread { first.finish() }
        thread.start()
        while !monitor.isTold { await Task.yield() }
        last.finish()
        // If a waiter were resumed too early, it would run now.
        for _ in 0..<10_000 { await Task.yield() }
        #expect(monitor.log.withLock { $0 } == [])
        // No task is left, but this call also waits for the monitor.
        let late = Task.detached {
            try await manager.waitUntilIdle()
            monitor.log.withLock { $0.append("waited") }
        }
        for _ in 0..<10_000 { await Task.yield() }
        monitor.gate.signal()
        try await waiting.value
        try await late.value
        #expect(monitor.log.withLock { $0 } == ["ended", "ended", "waited", "waited"])
    }

    /// A wait for a slow monitor can be cancelled. Other waits continue.
    @Test func waitForMonitorsCanBeCancelled() async throws {
        let monitor = SlowMonitor()
        manager.attach(monitor)
        let (first, last) = (manager.beganNetworkTask(), manager.beganNetworkTask())
        let cancelled = Task { [manager] in try await manager.waitUntilIdle() }
        let patient = Task { [manager] in try await manager.waitUntilIdle() }
        await untilWaiting(2)
        Thread { first.finish() }.start()
        while !monitor.isTold { await Task.yield() }
        do {
            defer { monitor.gate.signal() }
            last.finish()
            try #require(manager.waiterCount == 2)
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            #expect(manager.waiterCount == 1)
            #expect(monitor.log.withLock { $0 } == [])
        }
        try await patient.value
        #expect(monitor.log.withLock { $0 } == ["ended", "ended"])
        #expect(manager.waiterCount == 0)
    }

    /// Blocks at the first end that it receives, until the gate opens.
    private final class SlowMonitor: NetworkTaskMonitor {
        let log = Lock<[String]>([])
        let gate = DispatchSemaphore(value: 0)
        private let state = Lock(false)

        var isTold: Bool { state.withLock { $0 } }

        func networkIndicator(_ event: NetworkTaskEvent) {
            guard case .ended = event else { return }
            let isFirst = state.withLock { isTold in
                defer { isTold = true }
                return !isTold
            }
            if isFirst { gate.wait() }
            log.withLock { $0.append("ended") }
        }
    }

    @Test func waitReturnsWhenNoTaskIsLeftAndTheIndicatorIsOff() async throws {
        manager.incrementActivityCount()
        settle()
        let isOver = Lock(false)
        let waiting = Task { [manager] in
            try await manager.waitUntilIdle()
            isOver.withLock { $0 = true }
        }
        await untilWaiting(1)
        manager.decrementActivityCount()
        #expect(manager.isIndicatorVisible)
        await Task.yield()
        #expect(!isOver.withLock { $0 })
        settle()
        try await waiting.value
        #expect(!manager.isIndicatorVisible)
    }

    @Test func waitEndsWithAHiddenTaskWithoutAMainTurn() async throws {
        let token = manager.beganNetworkTask()
        let waiting = Task { [manager] in try await manager.waitUntilIdle() }
        await untilWaiting(1)
        token.finish()
        try #require(manager.waiterCount == 0)
        try await waiting.value
    }

    @Test func cancelledWaitThrows() async throws {
        manager.incrementActivityCount()
        let waiting = Task { [manager] in try await manager.waitUntilIdle() }
        await untilWaiting(1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(manager.waiterCount == 0)
        let late = Task { [manager] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await manager.waitUntilIdle()
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(manager.waiterCount == 0)
    }

    /// A monitor ends the last task while the reconcile that shows the indicator is under way.
    @Test func waitDoesNotEndBeforeADecidedChange() async throws {
        final class Finisher: NetworkTaskMonitor {
            let token: NetworkTaskToken
            init(_ token: NetworkTaskToken) { self.token = token }
            func networkIndicator(_ event: NetworkTaskEvent) {
                if case .ended(_, .deallocated) = event { token.finish() }
            }
        }
        manager.attach(Finisher(manager.beganNetworkTask()))
        var token: Token? = Token()
        manager.beganNetworkTask(withToken: token!)
        let indicator = RecordingIndicator()
        let log = Lock<[String]>([])
        manager.attach { isVisible in log.withLock { $0.append("visible \(isVisible)") } }
        manager.attach(indicator)
        let waiting = Task.detached { [manager] in
            try await manager.waitUntilIdle()
            log.withLock { $0.append("waited") }
        }
        await untilWaiting(1)
        token = nil
        settle()
        try await waiting.value
        #expect(log.withLock { $0 } == ["visible true", "visible false", "waited"])
    }

    /// The polling for a wait also starts with a task that begins during the wait.
    @Test func tasksThatBeginDuringAWaitArePolledEvery100Milliseconds() async throws {
        manager.completionCheckInterval = .seconds(3600)
        let explicit = manager.beganNetworkTask()
        let first = Token()
        manager.beganNetworkTask(withToken: first)
        settle()
        manager.finishedNetworkTask(forToken: first)
        let waiting = Task { [manager] in try await manager.waitUntilIdle() }
        defer { waiting.cancel() }
        await untilWaiting(1)
        var second: Token? = Token()
        manager.beganNetworkTask(withToken: second!)
        // Without a wait, the next poll would come after about a minute.
        scheduler.advance(by: .seconds(600))
        explicit.finish()
        second = nil
        scheduler.advance(by: .milliseconds(100))
        try #require(manager.waiterCount == 0)
        try await waiting.value
    }

    @Test func attachingAHiddenIndicatorDoesNotDelayAWait() async throws {
        manager.attach(RecordingIndicator())
        let updates = manager.visibilityUpdates
        try await expectThatAWaitReturnsAtOnce()
        withExtendedLifetime(updates) {}
    }

    /// The timeout passes in a turn that finds the last of many tokens deallocated.
    @Test func timeLimitDoesNotThrowWithoutATask() async throws {
        manager.updateConfiguration { $0.showDelay = .seconds(10) }
        var tokens = (0..<1500).map { _ in Token() }
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        settle()
        let waiting = Task { [manager] in try await manager.waitUntilIdle(timeout: .milliseconds(50)) }
        await untilWaiting(1)
        settle()
        scheduler.advance(by: .milliseconds(20))
        tokens = []
        scheduler.advance(by: .milliseconds(30))
        try await waiting.value
    }

    /// Returns when this many calls wait in the manager's list.
    private func untilWaiting(_ count: Int) async {
        while manager.waiterCount < count { await Task.yield() }
    }
}
