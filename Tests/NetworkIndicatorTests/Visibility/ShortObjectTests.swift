import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

/// Objects whose deallocation only a poll can detect.
@MainActor
@Suite final class ShortObjectTests: IndicatorSuite {
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

    /// The last poll before the detection saw the token alive. The error is at most an eighth of the work.
    @Test(arguments: [10, 50, 120, 400, 800, 1_000, 2_500, 5_000, 8_000, 20_000, 64_000, 100_000])
    func deallocationIsDetectedWithinAnEighthOfTheWork(work: Int) {
        manager.completionCheckInterval = .seconds(3600)
        // Another begin must not make the detection later.
        for isBesideAnOlderTask in [false, true] {
            var older: Token? = Token()
            if isBesideAnOlderTask {
                manager.beganNetworkTask(withToken: older!)
                scheduler.advance(by: .seconds(1000))
            }
            var token: Token? = Token()
            manager.beganNetworkTask(withToken: token!)
            older = nil
            scheduler.advance(by: .milliseconds(work))
            token = nil
            scheduler.advance(by: .milliseconds(max(50, work / 8)))
            #expect(manager.entryCount == 0)
        }
    }

    @Test func aTenMinuteTaskIsPolledSlightlyMoreOften() {
        let polls = Lock(0)
        let token = Token()
        manager.beganNetworkTask(withToken: token) { _ in
            polls.withLock { $0 += 1 }
            return true
        }
        scheduler.advance(by: .seconds(600))
        // One a second would be 600.
        #expect((600...640).contains(polls.withLock { $0 }))
        manager.finishedNetworkTask(forToken: token)
    }

    /// A turn examines one slice. Without a live task in it, the next turn examines the next slice.
    @Test(arguments: [NetworkIndicatorManager.Configuration.standard, .immediate])
    func manyObjectsDeallocatedBeforeTheShowDelayNeverFlash(configuration: NetworkIndicatorManager.Configuration) {
        manager.configuration = configuration
        scheduler.advance(by: .zero)
        var tokens = (0..<2_000).map { _ in Token() }
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        if configuration == .standard { scheduler.advance(by: .milliseconds(99)) }
        tokens = []
        scheduler.advance(by: .seconds(1))
        #expect(indicator.history == [])
        #expect(manager.entryCount == 0)
    }
}
