import Foundation
import NetworkIndicator
import NetworkIndicatorTestKit
import TestSupport
import Testing

@testable import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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

    @Test func aWaitDoesNotTrackATaskAgain() {
        let task = parkedTask()
        manager.reset()
        task.set(.running)
        parked.noteWaiting(task, label: nil, origin: origin)
        task.receive()
        advance(by: 1000)
        #expect(manager.activeTaskCount == 0 && scheduler.timerCount == 0)
    }

    @Test func aTaskOfABackgroundSessionCountsWithItsFirstData() {
        final class __NSCFBackgroundDownloadTask: StubTask, @unchecked Sendable {}
        let task = __NSCFBackgroundDownloadTask.make()
        task.tracked(by: manager)
        #expect(manager.activeTaskCount == 0)
        task.set(.running)
        parked.pathWasFound()
        advance(by: 1000)
        #expect(!manager.isIndicatorVisible)
        task.receive()
        advance(by: 250)
        #expect(manager.isIndicatorVisible)
        task.set(.suspended)
        #expect(manager.activeTaskCount == 0)
    }

    /// Each download waits for up to ten minutes until the system starts it.
    @Test func aBackgroundDownloadOf45SecondsIsAlwaysShown() {
        final class __NSCFBackgroundDownloadTask: StubTask, @unchecked Sendable {}
        var generator = SeededGenerator(seed: 1)
        let unseen = (0..<50).filter { _ in
            let task = __NSCFBackgroundDownloadTask.make()
            task.tracked(by: manager)
            task.set(.running)
            advance(by: .random(in: 0...600_000, using: &generator))
            task.receive()
            var isSeen = false
            for _ in 0..<450 {
                advance(by: 100)
                isSeen = isSeen || manager.isIndicatorVisible
            }
            task.set(.completed)
            advance(by: 5000)
            return !isSeen
        }
        #expect(unseen.isEmpty, "\(unseen.count) of 50 downloads weren't shown")
    }

    // MARK: Waiting callers

    @Test func waitingCallersShareACheck() async throws {
        manager.updateConfiguration { $0 = .immediate }
        let task = parkedTask()
        let reads = task.reads
        let callers = (0..<20).map { _ in Task { [manager] in try await manager.waitUntilIdle() } }
        while parked.pendingCallCount < callers.count { await Task.yield() }
        advance(by: 0)
        #expect(task.reads - reads == 1, "\(task.reads - reads)")
        let isDone = Lock(false)
        Task {
            for caller in callers { try await caller.value }
            isDone.withLock { $0 = true }
        }
        while !isDone.withLock({ $0 }) {
            advance(by: 0)
            await Task.yield()
        }
    }

    /// On Apple's platforms, reading the request or the response of an asset download raises an exception.
    @Test func aDownloadOfAnAsset() {
        final class __NSCFBackgroundAVAssetDownloadTask: StubTask, @unchecked Sendable {
            override var originalRequest: URLRequest? {
                Issue.record("The request was read")
                return nil
            }
            override var response: URLResponse? {
                Issue.record("The response was read")
                return nil
            }
        }
        let task = __NSCFBackgroundAVAssetDownloadTask.make()
        SessionTracking(manager: manager, isTracked: { _ in true }, origin: origin).track(task)
        advance(by: 0)
        #expect(manager.activeTaskCount == 0 && scheduler.timerCount == 0)
        task.tracked(by: manager)
        task.set(.running)
        #expect(manager.activeTaskCount == 0)
        task.receive()
        #expect(manager.activeTaskCount == 1)
    }
}
