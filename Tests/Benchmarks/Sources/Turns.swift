import Dispatch
import NetworkIndicator
import NetworkIndicatorTestKit

/// A scheduler whose time stands still, and that records how long work takes.
private final class TimedScheduler: ActivityScheduler {
    let base = ManualScheduler()
    @MainActor var longest = 0.0
    @MainActor var poll: (@MainActor @Sendable () -> Void)?

    var now: SuspendingClock.Instant { base.now }

    private func timed(_ work: @escaping @MainActor @Sendable () -> Void) -> @MainActor @Sendable () -> Void {
        { [unowned self] in longest = max(longest, seconds(work)) }
    }

    func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) { base.performOnMain(timed(work)) }

    @MainActor
    func schedule(
        at deadline: SuspendingClock.Instant, repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer {
        if interval != nil { poll = work }
        return base.schedule(at: deadline, repeatingEvery: interval, timed(work))
    }
}

private final class EmptyIndicator: ActivityIndicator {
    nonisolated init() {}
    func setVisible(_ isVisible: Bool) {}
}

private func onMain<R: Sendable>(_ body: @MainActor () -> R) -> R {
    DispatchQueue.main.sync { MainActor.assumeIsolated(body) }
}

private func seconds(_ body: () -> Void) -> Double { ContinuousClock().measure(body) / .seconds(1) }

@MainActor
private func visibleManager(_ scheduler: TimedScheduler, _ tokens: [Token]) -> NetworkIndicatorManager {
    let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
    for token in tokens { manager.beganNetworkTask(withToken: token) }
    scheduler.base.advance(by: .zero)
    precondition(manager.isIndicatorVisible)
    return manager
}

/// The mean of 1,000 polls.
func pollTime(live: Int) -> Double {
    onMain {
        let (scheduler, tokens) = (TimedScheduler(), (0..<live).map { _ in Token() })
        let manager = visibleManager(scheduler, tokens)
        defer { withExtendedLifetime((manager, tokens)) {} }
        for _ in 0..<100 { scheduler.poll?() }  // warm-up
        return seconds { for _ in 0..<1_000 { scheduler.poll?() } } / 1_000
    }
}

func turnAfterDeallocations(of count: Int) -> Double {
    onMain {
        let scheduler = TimedScheduler()
        var tokens = (0..<count).map { _ in Token() }
        let manager = visibleManager(scheduler, tokens)
        tokens = []
        scheduler.longest = 0
        scheduler.base.advance(by: .seconds(1))
        precondition(!manager.isIndicatorVisible)
        return scheduler.longest
    }
}

/// The locks that a manager takes to begin, show, finish and hide a weak task.
func locksOfAWeakTask(lasting duration: Duration) -> Double {
    onMain {
        let scheduler = ManualScheduler()
        let manager = NetworkIndicatorManager(scheduler: scheduler)
        manager.attach(EmptyIndicator())
        scheduler.advance(by: .zero)
        let (count, token) = (LockCounter(of: manager), Token())
        manager.beganNetworkTask(withToken: token)
        scheduler.advance(by: duration)
        manager.finishedNetworkTask(forToken: token)
        scheduler.advance(by: .seconds(1))
        precondition(scheduler.timerCount == 0)
        return Double(count.value)
    }
}
