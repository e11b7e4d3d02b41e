import Foundation
import NetworkIndicatorTestKit
import TestSupport
import Testing

@testable import NetworkIndicator
@testable import NetworkIndicatorURLSession

extension ParkedTasksTests {
    @Test func waitingTasksAreCheckedEveryFiveSeconds() {
        let task = parkedTask()
        task.set(.running)
        #expect(manager.activeTaskCount == 1)
        parked.noteWaiting(task, label: nil, origin: origin)
        #expect(manager.activeTaskCount == 0)
        let reads = task.reads
        advance(by: 3_600_000)
        // 200 checks in the first ten seconds, and 718 in the rest of the hour.
        #expect((910...925).contains(task.reads - reads), "\(task.reads - reads)")
        task.receive()
        advance(by: 5150)
        #expect(manager.isIndicatorVisible)
    }

    @Test func aWaitEndsForAWhileWhenAPathIsFound() {
        let task = parkedTask()
        parked.pathWasFound()
        task.set(.running)
        parked.noteWaiting(task, label: nil, origin: origin)
        advance(by: 1000)
        #expect(!manager.isIndicatorVisible)
        parked.pathWasFound()
        advance(by: 100)
        #expect(manager.isIndicatorVisible)
        advance(by: 9500)
        #expect(manager.isIndicatorVisible)
        advance(by: 2000)
        #expect(!manager.isIndicatorVisible)
        task.receive()
        advance(by: 50)
        #expect(manager.activeTaskCount == 1)
    }

    @Test func onlyAChangeOfThePathEndsAWait() {
        let path = ManualPath()
        let parked = manager.source { [manager] in ParkedTasks(of: manager, $0, paths: path.monitor) }
        let tasks = [parkedTask(), parkedTask()]
        for task in tasks {
            task.set(.running)
            parked.noteWaiting(task, label: nil, origin: origin)
        }
        #expect(path.monitorCount == 1)
        advance(by: 1)
        // The first update reports the current path.
        for hasPath in [true, false] {
            path.update(hasPath)
            advance(by: 1000)
            #expect(!manager.isIndicatorVisible)
        }
        path.update(true)
        advance(by: 100)
        #expect(manager.isIndicatorVisible && path.monitorCount == 0)
    }

    @Test func aWaitDoesNotTrackATaskAgain() {
        let task = parkedTask()
        manager.reset()
        task.set(.running)
        parked.noteWaiting(task, label: nil, origin: origin)
        task.receive()
        advance(by: 1000)
        #expect(manager.activeTaskCount == 0 && scheduler.timerCount == 0)
    }

    // MARK: Background sessions

    private final class __NSCFBackgroundDownloadTask: StubTask, @unchecked Sendable {}

    /// On Apple's platforms, reading the request or the response of an asset download raises an exception.
    private final class __NSCFBackgroundAVAssetDownloadTask: StubTask, @unchecked Sendable {
        override var originalRequest: URLRequest? {
            Issue.record("The request was read")
            return nil
        }
        override var response: URLResponse? {
            Issue.record("The response was read")
            return nil
        }
    }

    @Test(arguments: [__NSCFBackgroundDownloadTask.self, __NSCFBackgroundAVAssetDownloadTask.self])
    func aTaskOfABackgroundSessionCountsWithItsFirstData(type: StubTask.Type) {
        let task = type.make()
        SessionTracking(manager: manager, isTracked: { _ in true }, origin: origin).track(task)
        advance(by: 0)
        #expect(manager.activeTaskCount == 0 && scheduler.timerCount == 0)
        task.tracked(by: manager)
        #expect(manager.activeTaskCount == 0)
        task.set(.running)
        advance(by: 50)
        parked.pathWasFound()
        advance(by: 1000)
        #expect(!manager.isIndicatorVisible)
        task.receive()
        advance(by: 250)
        #expect(manager.isIndicatorVisible)
        task.set(.suspended)
        #expect(manager.activeTaskCount == 0)
    }

    // MARK: Waiting callers

    @Test func waitingCallersShareACheck() async throws {
        manager.updateConfiguration { $0 = .immediate }
        let task = parkedTask()
        let reads = task.reads
        let callers = (0..<20).map { _ in Task { [manager] in try await manager.waitUntilIdle() } }
        while manager.tracker.read(\.waiters.count) < callers.count { await Task.yield() }
        advance(by: 0)
        #expect(task.reads - reads == 1, "\(task.reads - reads)")
        for caller in callers {
            caller.cancel()
            _ = await caller.result
        }
    }

    @Test func aCallerWaitsForATaskThatHasJustResumed() async throws {
        let (task, isOver) = (parkedTask(), Lock(false))
        advance(by: 20_000)
        task.set(.running)
        let waiting = Task { [manager] in
            defer { isOver.withLock { $0 = true } }
            try await manager.waitUntilIdle()
        }
        // The caller requests a turn on its own thread, at any time.
        while manager.entryCount == 0, !isOver.withLock({ $0 }) {
            advance(by: 0)
            await Task.yield()
        }
        #expect(manager.entryCount == 1 && !isOver.withLock { $0 })
        task.set(.completed)
        while !isOver.withLock({ $0 }) {
            advance(by: 100)
            await Task.yield()
        }
        try await waiting.value
    }

    @Test func aCallerThatArrivesDuringATurnCausesAnother() {
        let (task, object, isFirst) = (parkedTask(), StubTask.make(), Lock(true))
        manager.beganNetworkTask(withToken: object) { [manager] _ in
            guard isFirst.withLock({ isFirst in (isFirst, isFirst = false).0 }) else { return false }
            Task.detached { try await manager.waitUntilIdle() }
            while manager.tracker.read(\.waiters.isEmpty) { usleep(1000) }
            return false
        }
        advance(by: 0)
        #expect(manager.tracker.read(\.waiters.isEmpty))
        withExtendedLifetime((task, object)) {}
    }

    // MARK: Timers

    /// Like `MainScheduler` on Apple's platforms, this scheduler shortens the interval of repeating timers by a tenth.
    private final class EarlyScheduler: ActivityScheduler {
        let base = ManualScheduler()

        var now: SuspendingClock.Instant { base.now }

        func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) { base.performOnMain(work) }

        @MainActor func schedule(
            at deadline: SuspendingClock.Instant, repeatingEvery interval: Duration?,
            _ work: @escaping @MainActor @Sendable () -> Void
        ) -> any ActivityTimer {
            base.schedule(at: deadline, repeatingEvery: interval.map { $0 * 9 / 10 }, work)
        }
    }

    @Test func timersThatFireEarlyDoNotDelayChecks() {
        let scheduler = EarlyScheduler()
        let manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        let task = StubTask.make()
        task.tracked(by: manager)
        scheduler.base.advance(by: .seconds(15))
        let reads = task.reads
        scheduler.base.advance(by: .seconds(10))
        #expect(task.reads - reads >= 10)
    }
}
