import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10))) struct ManualSchedulerTests {
    @Test func anOuterAdvanceRunsWhatANestedOneHasMadeDue() {
        let scheduler = ManualScheduler()
        var log: [String] = []
        scheduler.performOnMain {
            scheduler.advance(by: .seconds(2))
            scheduler.performOnMain { MainActor.assumeIsolated { log.append("later") } }
        }
        scheduler.advance(by: .seconds(1))
        #expect(log == ["later"])
    }

    /// If this test yielded instead of calling `waitForWaiters(of:)`, it would hang: the timeout would begin after the
    /// test has advanced the time.
    @Test func aTestCanWaitForAWaiterThatStartsLate() async {
        let scheduler = ManualScheduler()
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let token = manager.beganNetworkTask()
        let waiting = Task {
            for _ in 0..<100 { await Task.yield() }
            try await manager.waitUntilIdle(timeout: .seconds(5))
        }
        await scheduler.waitForWaiters(of: manager)
        scheduler.advance(by: .seconds(5))
        await #expect(throws: NetworkBusyError.self) { try await waiting.value }
        token.finish()
    }

    @Test func aTestCanWaitForTimers() async {
        let scheduler = ManualScheduler()
        let manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        let work = Task.detached {
            for _ in 0..<100 { await Task.yield() }
            return manager.beganNetworkTask()
        }
        await scheduler.waitForTimers()
        scheduler.advance(by: .milliseconds(100))
        #expect(manager.isIndicatorVisible)
        await work.value.finish()
    }

    @Test func aPendingTimerDoesNotRetainItsScheduler() {
        weak var released: ManualScheduler?
        do {
            let scheduler = ManualScheduler()
            released = scheduler
            _ = scheduler.schedule(at: scheduler.now, repeatingEvery: nil) {}
        }
        #expect(released == nil)
    }

    @Test func aCancelledTestDoesNotWaitForWaiters() async {
        let (scheduler, manager) = (ManualScheduler(), NetworkIndicatorManager())
        let waiting = Task { await scheduler.waitForWaiters(of: manager) }
        waiting.cancel()
        await waiting.value
    }
}
