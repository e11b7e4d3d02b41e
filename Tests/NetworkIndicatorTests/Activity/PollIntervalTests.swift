import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

@MainActor
@Suite final class PollIntervalTests: IndicatorSuite {
    /// Each object outlives the begin of the next one by 5 ms.
    @Test(arguments: [20, 40, 90], [0, 10, 50, 300])
    func overlappingShortObjectsShow(period: Int, hideDelay: Int) {
        manager.updateConfiguration { $0.hideDelay = .milliseconds(hideDelay) }
        var last: Token?
        for _ in 0...(200 / period) {
            let token = Token()
            manager.beganNetworkTask(withToken: token)
            scheduler.advance(by: .milliseconds(5))
            last = nil
            scheduler.advance(by: .milliseconds(period - 5))
            last = token
        }
        #expect(indicator.history == [true])
        withExtendedLifetime(last) {}
    }

    @Test func theTimeUntilAResetIsBusyTime() {
        manager.updateConfiguration { $0.hideDelay = .milliseconds(10) }
        let first = manager.beganNetworkTask()
        scheduler.advance(by: .milliseconds(80))
        manager.incrementActivityCount()
        first.finish()
        scheduler.advance(by: .milliseconds(10))
        manager.reset()
        manager.incrementActivityCount()
        scheduler.advance(by: .milliseconds(10))
        #expect(indicator.history == [true])
    }

    /// The first batch of the poll after the block contains only younger objects.
    @Test func olderObjectsInAnotherBatchAreShownAtOnce() {
        manager.updateConfiguration { $0.showDelay = .seconds(3) }
        let (older, newer) = ((0..<2_000).map { _ in Token() }, (0..<1_100).map { _ in Token() })
        for token in older { manager.beganNetworkTask(withToken: token) }
        scheduler.advance(by: .zero)
        scheduler.stall(for: .seconds(3))
        for token in newer { manager.beganNetworkTask(withToken: token) }
        scheduler.advance(by: .zero)
        #expect(indicator.history == [true])
        withExtendedLifetime((older, newer)) {}
    }

    @Test(arguments: [(lasting: 300, count: 1), (lasting: 50, count: 10)])
    func shortObjectsBesideALongTaskCauseNoTurns(objects: (lasting: Int, count: Int)) {
        let (turns, long) = (Lock(0), Token())
        manager.beganNetworkTask(withToken: long) { _ in
            turns.withLock { $0 += 1 }
            return true
        }
        scheduler.advance(by: .seconds(10))
        turns.withLock { $0 = 0 }
        for _ in 0..<60 {
            for _ in 0..<objects.count {
                let token = Token()
                manager.beganNetworkTask(withToken: token)
                scheduler.advance(by: .milliseconds(objects.lasting))
                withExtendedLifetime(token) {}
            }
            scheduler.advance(by: .milliseconds(1000 - objects.count * objects.lasting))
        }
        #expect(turns.withLock { $0 } <= 120)
    }

    @Test func aTenMinuteTaskIsPolledSlightlyMoreOften() {
        let polls = Lock(0)
        let token = Token()
        manager.beganNetworkTask(withToken: token) { _ in
            polls.withLock { $0 += 1 }
            return true
        }
        scheduler.advance(by: .seconds(600))
        #expect((600...640).contains(polls.withLock { $0 }))
        manager.finishedNetworkTask(forToken: token)
    }

    @Test func aPollEndsAfterTheFirstBatchWithALiveTaskUnlessAMonitorOrACallerWaitsForTheOthers() async {
        let (calls, manager) = (Lock(0), manager)
        var tokens = (0..<5 * 1_024).map { _ in Token() }
        for token in tokens {
            manager.beganNetworkTask(withToken: token) { _ in
                calls.withLock { $0 += 1 }
                return true
            }
        }
        func callsOfAPoll() -> Int {
            calls.withLock { $0 = 0 }
            scheduler.advance(by: .seconds(1))
            return calls.withLock { $0 }
        }
        scheduler.advance(by: .seconds(100))
        #expect(callsOfAPoll() == 1_024)
        tokens.removeLast(2_000)
        #expect(callsOfAPoll() == 2 * 1_024 - 2_000)
        #expect(manager.entryCount == tokens.count)
        let waiting = Task { try await manager.waitUntilIdle() }
        await scheduler.waitForWaiters(of: manager)
        #expect(callsOfAPoll() == 10 * tokens.count, "such polls are 100 ms apart")
        waiting.cancel()
        _ = await waiting.result
        scheduler.advance(by: .seconds(1))
        #expect(callsOfAPoll() == 1_024)
        manager.attach(monitor: RecordingMonitor())
        scheduler.advance(by: .zero)
        #expect(callsOfAPoll() == tokens.count)
    }

    /// A new object at the address of a deallocated one would replace its entry, so `others` occupy these addresses.
    @Test func deallocatedObjectsDoNotAccumulate() {
        manager.completionCheckInterval = .seconds(3600)
        let kept = Token()
        manager.beganNetworkTask(withToken: kept)
        scheduler.advance(by: .seconds(100_000))
        var others: [Token] = []
        for _ in 0..<50 {
            do {
                let tokens = (0..<100).map { _ in Token() }
                for token in tokens { manager.beganNetworkTask(withToken: token) }
            }
            others += (0..<100).map { _ in Token() }
            settle()
            #expect(manager.entryCount < 500)
        }
        withExtendedLifetime((kept, others)) {}
    }
}
