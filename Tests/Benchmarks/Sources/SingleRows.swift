import Dispatch
import NetworkIndicator
import NetworkIndicatorTestKit

enum TurnRows {
    static var all: [Row] {
        [1, 100, 1_000_000].map { live in Row(name: "poll", live: live, method: .pairs { poll(live) }) }
            + [10_000, 1_000_000].map { live in
                Row(
                    name: "deallocation.longest-turn", live: live,
                    method: .value(rounds: 7, quickRounds: 2) { onMain { longestTurn(live) } })
            } + others
    }

    private static var others: [Row] {
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

    private static func onMain<R: Sendable>(_ body: @MainActor () -> R) -> R {
        DispatchQueue.main.sync { MainActor.assumeIsolated(body) }
    }

    @MainActor
    private static func makeManager(_ scheduler: ObservedScheduler, _ tokens: [Token]) -> NetworkIndicatorManager {
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        scheduler.base.advance(by: .zero)
        precondition(manager.isIndicatorVisible)
        return manager
    }

    private static func poll(_ live: Int) -> Pairs {
        let (scheduler, tokens) = (ObservedScheduler(), (0..<live).map { _ in Token() })
        let manager = onMain { makeManager(scheduler, tokens) }
        return { count in
            onMain { for _ in 0..<count { scheduler.poll?() } }
            withExtendedLifetime((manager, tokens)) {}
        }
    }

    /// In nanoseconds.
    @MainActor
    private static func longestTurn(_ live: Int) -> Double {
        let scheduler = ObservedScheduler()
        var tokens = (0..<live).map { _ in Token() }
        let manager = makeManager(scheduler, tokens)
        tokens = []
        scheduler.longest = .zero
        scheduler.base.advance(by: .seconds(1))
        precondition(!manager.isIndicatorVisible)
        return scheduler.longest / .nanoseconds(1)
    }

    private static func turnsPerSecond(objects: Int, lasting: Int) -> Double {
        onMain {
            let (scheduler, long) = (ObservedScheduler(), Token())
            let manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
            manager.beganNetworkTask(withToken: long)
            scheduler.base.advance(by: .seconds(10))
            scheduler.count = 0
            for _ in 0..<50 {
                for _ in 0..<objects {
                    let token = Token()
                    manager.beganNetworkTask(withToken: token)
                    scheduler.base.advance(by: .milliseconds(lasting))
                    withExtendedLifetime(token) {}
                }
                scheduler.base.advance(by: .milliseconds(1000 - objects * lasting))
            }
            return withExtendedLifetime(long) { Double(scheduler.count) / 50 }
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

private final class ObservedScheduler: ActivityScheduler {
    let base = ManualScheduler()
    @MainActor var count = 0
    @MainActor var longest = Duration.zero
    @MainActor var poll: (@MainActor @Sendable () -> Void)?

    var now: SuspendingClock.Instant { base.now }

    private func observed(_ work: @escaping @MainActor @Sendable () -> Void) -> @MainActor @Sendable () -> Void {
        { [unowned self] in
            count += 1
            longest = max(longest, ContinuousClock().measure { work() })
        }
    }

    func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) { base.performOnMain(observed(work)) }

    @MainActor
    func schedule(
        at deadline: SuspendingClock.Instant, repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer {
        if interval != nil { poll = work }
        return base.schedule(at: deadline, repeatingEvery: interval, observed(work))
    }
}
