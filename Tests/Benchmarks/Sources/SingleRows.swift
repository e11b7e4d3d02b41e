import Dispatch
import NetworkIndicator
import NetworkIndicatorTestKit

enum SingleRows {
    static var all: [Row] {
        [100, 1_000_000].map { live in Row(name: "poll", live: live, method: .pairs { poll(live) }) } + [
            Row(
                name: "deallocation.longest-turn", live: 10_000,
                method: .value(rounds: 7) { onMain { longestTurn(10_000) } }),
            Row(
                name: "change.3000-indicators", live: 1,
                method: .value(rounds: 31) { onMain { changeWithIndicators(3_000) } }),
            Row(name: "baseline.3000-calls", live: 1, method: .value(rounds: 31) { onMain { plainCalls(3_000) } }),
            Row(
                name: "begin.longest", live: 10_000,
                method: .value(rounds: 31) {
                    let manager = NetworkIndicatorManager()
                    return longest(10_000) { manager.beganNetworkTask(withToken: $0) }
                }),
            Row(
                name: "baseline.insertion.longest", live: 10_000,
                method: .value(rounds: 31) {
                    var dictionary: [ObjectIdentifier: DictionaryEntry] = [:]
                    return longest(10_000) { dictionary[ObjectIdentifier($0)] = DictionaryEntry(token: $0) }
                }),
            Row(
                name: "idle.wake-ups", live: 0, isCount: true,
                method: .value(rounds: 3) { try IdleProcess.wakeUpsOfManager() }),
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

    private struct DictionaryEntry {
        weak var token: Token?
        var began = SuspendingClock().now
    }

    /// In nanoseconds.
    private static func longest(_ live: Int, _ step: (Token) -> Void) -> Double {
        let clock = ContinuousClock()
        let tokens = (0..<live).map { _ in Token() }
        var longest = Duration.zero
        for token in tokens { longest = max(longest, clock.measure { step(token) }) }
        return longest / .nanoseconds(1)
    }
}

private final class EmptyIndicator: ActivityIndicator {
    private var isVisible = false

    nonisolated init() {}

    func setVisible(_ isVisible: Bool) { self.isVisible = isVisible }
}

private final class ObservedScheduler: ActivityScheduler {
    let base = ManualScheduler()
    @MainActor var longest = Duration.zero
    @MainActor var poll: (@MainActor @Sendable () -> Void)?

    var now: SuspendingClock.Instant { base.now }

    private func observed(_ work: @escaping @MainActor @Sendable () -> Void) -> @MainActor @Sendable () -> Void {
        { [unowned self] in
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
