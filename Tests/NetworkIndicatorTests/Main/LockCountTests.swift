import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

/// How often a manager takes its lock.
@MainActor
@Suite final class LockCountTests: IndicatorSuite {
    private func locks(_ body: () -> Void) -> Int {
        let before = manager.tracker.state.withLock { $0.lockCount }
        body()
        return manager.tracker.state.withLock { $0.lockCount } - before
    }

    @Test func aWeakTaskNeedsFewLocksFromItsBeginToTheHiddenIndicator() {
        manager.updateConfiguration { $0.showDelay = .milliseconds(40) }
        scheduler.advance(by: .zero)
        let token = Token()
        let count = locks {
            manager.beganNetworkTask(withToken: token)
            scheduler.advance(by: .milliseconds(60))  // shown, and polled once
            manager.finishedNetworkTask(forToken: token)
            scheduler.advance(by: .seconds(1))
        }
        #expect(indicator.history == [true, false])
        #expect(count <= 15)
    }

    @Test func aTurnNeedsFewLocks() {
        let token = Token()
        manager.beganNetworkTask(withToken: token)
        #expect(locks { scheduler.advance(by: .zero) } <= 3)
        #expect(locks { scheduler.advance(by: .milliseconds(50)) } <= 3)  // a poll
        #expect(locks { scheduler.advance(by: .milliseconds(49)) } == 0)
        #expect(locks { manager.turn() } <= 3)
        // The poll at 100 ms, and the turn that shows the indicator.
        #expect(locks { scheduler.advance(by: .milliseconds(1)) } <= 5 + 3)
        #expect(indicator.history == [true])
    }

    @Test func aPairBesideOtherTasksNeedsOneLockForEachCall() {
        let (first, second) = (Token(), Token())
        manager.beganNetworkTask(withToken: first)
        scheduler.advance(by: .seconds(1))
        #expect(locks { manager.beganNetworkTask(withToken: second) } == 1)
        #expect(locks { manager.finishedNetworkTask(forToken: second) } == 1)
        #expect(locks { manager.beganNetworkTask().finish() } == 2)
        #expect(locks { manager.incrementActivityCount() } == 1)
        #expect(locks { manager.decrementActivityCount() } == 1)
    }
}
