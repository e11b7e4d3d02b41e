import NetworkIndicator
import NetworkIndicatorTestKit
import NetworkIndicatorURLSession
import Testing

extension ParkedTasksTests {
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
