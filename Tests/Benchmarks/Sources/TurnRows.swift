import Dispatch
import NetworkIndicator
import NetworkIndicatorTestKit

/// The turns of the main thread, on a manual clock.
enum TurnRows {
    static var all: [Row] {
        [
            Row(
                name: "turns-per-second.one-of-300-ms", live: 1, unit: .ratio,
                method: .value(rounds: 1, quickRounds: 1) { turnsPerSecond(objects: 1, lasting: 300) }),
            Row(
                name: "turns-per-second.ten-of-50-ms", live: 1, unit: .ratio,
                method: .value(rounds: 1, quickRounds: 1) { turnsPerSecond(objects: 10, lasting: 50) }),
            Row(
                name: "change.3000-indicators", live: 1,
                method: .value(rounds: 31, quickRounds: 11) { onMain { changeWithIndicators(3_000) } }),
            Row(
                name: "baseline.3000-calls", live: 1,
                method: .value(rounds: 31, quickRounds: 11) { onMain { plainCalls(3_000) } }),
        ]
    }

    private static func onMain(_ body: @MainActor () -> Double) -> Double {
        DispatchQueue.main.sync { MainActor.assumeIsolated(body) }
    }

    /// Wake-ups beside an object that lives for a minute, while others live for some milliseconds in each second.
    private static func turnsPerSecond(objects: Int, lasting: Int) -> Double {
        onMain {
            let (scheduler, long) = (CountingScheduler(), Token())
            let manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
            manager.beganNetworkTask(withToken: long)
            scheduler.base.advance(by: .seconds(10))
            scheduler.count.withLock { $0 = 0 }
            for _ in 0..<50 {
                for _ in 0..<objects {
                    let token = Token()
                    manager.beganNetworkTask(withToken: token)
                    scheduler.base.advance(by: .milliseconds(lasting))
                    withExtendedLifetime(token) {}
                }
                scheduler.base.advance(by: .milliseconds(1000 - objects * lasting))
            }
            return withExtendedLifetime(long) { Double(scheduler.count.withLock { $0 }) / 50 }
        }
    }

    @MainActor
    private static func changeWithIndicators(_ count: Int) -> Double {
        let scheduler = ManualScheduler()
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        for _ in 0..<count { manager.attach(EmptyIndicator()) }
        scheduler.advance(by: .zero)
        manager.incrementActivityCount()
        return ContinuousClock().measure { scheduler.advance(by: .zero) } / .nanoseconds(1)
    }

    @MainActor
    private static func plainCalls(_ count: Int) -> Double {
        let indicators: [any ActivityIndicator] = (0..<count).map { _ in EmptyIndicator() }
        return ContinuousClock().measure { for indicator in indicators { indicator.setVisible(true) } }
            / .nanoseconds(1)
    }
}

private final class EmptyIndicator: ActivityIndicator {
    private var isVisible = false

    nonisolated init() {}

    func setVisible(_ isVisible: Bool) { self.isVisible = isVisible }
}

/// Counts what runs on the main thread.
private final class CountingScheduler: ActivityScheduler {
    let base = ManualScheduler()
    let count = Locked(0)

    var now: SuspendingClock.Instant { base.now }

    private func counted(_ work: @escaping @MainActor @Sendable () -> Void) -> @MainActor @Sendable () -> Void {
        { [count] in
            count.withLock { $0 += 1 }
            work()
        }
    }

    func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) { base.performOnMain(counted(work)) }

    @MainActor
    func schedule(
        at deadline: SuspendingClock.Instant, repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer { base.schedule(at: deadline, repeatingEvery: interval, counted(work)) }
}
