import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

@MainActor
@Suite final class PollIntervalTests: IndicatorSuite {
    @Test(arguments: [(16, 364), (50, 330), (16, 310), (16, 600)])
    func shortObjectsNeverShow(work: Int, pause: Int) {
        for _ in 0..<25 {
            var token: Token? = Token()
            manager.beganNetworkTask(withToken: token!)
            scheduler.advance(by: .milliseconds(work))
            token = nil
            scheduler.advance(by: .milliseconds(pause))
        }
        #expect(indicator.history == [])
    }

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

    @Test(arguments: [10, 50, 120, 400, 800, 1_000, 2_500, 5_000, 8_000, 20_000, 64_000, 100_000])
    func deallocationIsDetectedWithinAnEighthOfTheWork(work: Int) {
        manager.completionCheckInterval = .seconds(3600)
        var token: Token? = Token()
        manager.beganNetworkTask(withToken: token!)
        scheduler.advance(by: .milliseconds(work))
        token = nil
        scheduler.advance(by: .milliseconds(max(50, work / 8)))
        #expect(manager.entryCount == 0)
    }

    @Test func anObjectAfterABlockedMainThreadIsNotShownAtOnce() {
        var token: Token? = Token()
        manager.beganNetworkTask(withToken: token!)
        scheduler.advance(by: .milliseconds(10))
        token = nil
        scheduler.stall(for: .seconds(3))
        let next = Token()
        manager.beganNetworkTask(withToken: next)
        scheduler.advance(by: .milliseconds(99))
        #expect(indicator.history == [])
        scheduler.advance(by: .milliseconds(1))
        #expect(indicator.history == [true])
        withExtendedLifetime(next) {}
    }

    @Test func anOlderObjectBehindABlockedMainThreadIsShownAtOnce() {
        var token: Token? = Token()
        let (older, newer) = (Token(), Token())
        manager.beganNetworkTask(withToken: token!)
        manager.beganNetworkTask(withToken: newer)
        manager.beganNetworkTask(withToken: older)
        manager.finishedNetworkTask(forToken: newer)
        scheduler.stall(for: .seconds(3))
        token = nil
        manager.beganNetworkTask(withToken: newer)
        scheduler.advance(by: .zero)
        #expect(indicator.history == [true])
        withExtendedLifetime((older, newer)) {}
    }

    @Test func anOlderObjectInAnotherBatchIsShownAtOnce() {
        let (older, newer) = (Token(), (0..<2_000).map { _ in Token() })
        manager.beganNetworkTask(withToken: older)
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

    @Test func aTaskThatBeginsAgainKeepsItsStart() {
        manager.updateConfiguration { $0.hideDelay = .zero }
        let token = Token()
        for _ in 0..<4 {
            manager.beganNetworkTask(withToken: token) { _ in true }
            scheduler.advance(by: .milliseconds(45))
        }
        #expect(indicator.history == [true])
        let begins = manager.activeTasks.map { $0.began.duration(to: scheduler.now) }
        #expect(begins == [.milliseconds(180)])
    }

    /// Each poll examines one batch of 1,024 tasks, and the next poll goes on with the next batch.
    @Test func aPollExaminesTheNextBatch() {
        let asked = Lock<[ObjectIdentifier]>([])
        let tokens = (0..<5 * 1_024).map { _ in Token() }
        for token in tokens {
            manager.beganNetworkTask(withToken: token) { token in
                asked.withLock { $0.append(ObjectIdentifier(token)) }
                return true
            }
        }
        scheduler.advance(by: .seconds(100))
        asked.withLock { $0 = [] }
        for poll in 1...5 {
            scheduler.advance(by: .seconds(1))
            #expect(asked.withLock { $0.count } == poll * 1_024)
        }
        #expect(Set(asked.withLock { $0 }).count == 5 * 1_024)
        manager.attach(monitor: RecordingMonitor())
        scheduler.advance(by: .zero)
        asked.withLock { $0 = [] }
        scheduler.advance(by: .seconds(1))
        #expect(asked.withLock { $0.count } == 5 * 1_024)
    }
}
