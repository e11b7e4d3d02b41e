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

    // MARK: Sleeping

    @Test func advancingWakesSleepersInTheOrderOfAllDeadlines() async throws {
        let scheduler = ManualScheduler()
        let log = Lock<[String]>([])
        @MainActor func sleep(_ seconds: Int) -> Task<Void, any Error> {
            Task {
                try await scheduler.sleep(for: .seconds(seconds))
                log.withLock { $0.append("slept \(seconds)") }
            }
        }
        let (late, early) = (sleep(3), sleep(1))
        await scheduler.waitForSleepers(2)
        _ = scheduler.schedule(at: scheduler.now.advanced(by: .seconds(2)), repeatingEvery: nil) {
            log.withLock { $0.append("fired") }
        }
        #expect(scheduler.timerCount == 1)
        scheduler.advance(by: .milliseconds(999))
        #expect(log.withLock { $0 } == [])
        scheduler.advance(by: .milliseconds(1))
        try await early.value
        scheduler.advance(by: .seconds(2))
        try await late.value
        #expect(log.withLock { $0 } == ["slept 1", "fired", "slept 3"])
        try await scheduler.sleep(until: scheduler.now)
    }

    @Test func aCancelledSleepThrowsAtOnceAndLeavesNoSleeper() async {
        let scheduler = ManualScheduler()
        let sleeping = Task { try await scheduler.sleep(for: .seconds(1)) }
        await scheduler.waitForSleepers()
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
        #expect(scheduler.sleeperCount == 0)
        let late = Task { try await scheduler.sleep(until: scheduler.now) }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    /// If the scheduler resumed sleepers while it held its lock, the resumed code couldn't use it.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aSleeperMayUseTheSchedulerWhileItResumes() async throws {
        let scheduler = ManualScheduler()
        let executor = InlineExecutor()
        let sleeping = Task(executorPreference: executor) {
            try await scheduler.sleep(for: .seconds(1))
            return scheduler.now
        }
        await scheduler.waitForSleepers()
        let end = scheduler.now.advanced(by: .seconds(1))
        scheduler.advance(by: .seconds(1))
        #expect(try await sleeping.value == end)
    }
}

/// Runs a resumed task at once, on the thread that resumes it.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class InlineExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor()) }
}
