import NetworkIndicator

/// A scheduler that runs the turns of the main thread one by one, without timers.
final class TurnScheduler: ActivityScheduler {
    private let works = Lock<[@MainActor @Sendable () -> Void]>([])
    private let start = SuspendingClock().now

    var now: SuspendingClock.Instant { start }

    /// Runs the work that was requested before.
    @MainActor
    func runTurn() {
        let turn = works.withLock { works in
            defer { works = [] }
            return works
        }
        for work in turn { work() }
    }

    func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) {
        works.withLock { $0.append(work) }
    }

    @MainActor
    func schedule(
        at deadline: SuspendingClock.Instant, repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer {
        NoTimer()
    }

    private final class NoTimer: ActivityTimer {
        func cancel() {}
    }
}
