import Dispatch
import NetworkIndicator

/// The cost of polling on the main thread.
enum PollRows {
    static var all: [Row] {
        let polls = [1, 1_000_000].map { live in
            Row(name: "poll", live: live, method: .pairs { poll(live) })
        }
        let ends = [10_000, 1_000_000].map { live in
            Row(
                name: "deallocation.longest-turn", live: live,
                method: .value(rounds: 7, quickRounds: 2) { try longestTurn(live) })
        }
        return polls + ends
    }

    /// The work of the polling timer while the indicator is on.
    private static func poll(_ live: Int) -> Pairs {
        let scheduler = TimingScheduler()
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let tokens = (0..<live).map { _ in Token() }
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        // The first turn of the main thread shows the indicator and starts to poll.
        DispatchQueue.main.sync {}
        guard manager.isIndicatorVisible, let poll = scheduler.poll else { fatalError("no indicator, or no poll") }
        return { count in
            DispatchQueue.main.sync {
                MainActor.assumeIsolated { for _ in 0..<count { poll() } }
            }
            withExtendedLifetime((manager, tokens)) {}
        }
    }

    private struct StillOn: Error, CustomStringConvertible {
        var description: String { "the indicator stayed on after the poll that found its tokens deallocated" }
    }

    /// Deallocates all tokens at once. The next poll must detect that, and switch the indicator off.
    private static func longestTurn(_ live: Int) throws -> Double {
        let scheduler = TimingScheduler()
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let indicator = SignallingIndicator()
        manager.attach(indicator)
        var tokens = (0..<live).map { _ in Token() }
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        withExtendedLifetime(tokens) { indicator.changes.wait() }
        DispatchQueue.main.sync {}
        guard let poll = scheduler.poll else { fatalError("no poll") }
        tokens.removeAll()
        scheduler.longestTurn.withLock { $0 = .zero }
        DispatchQueue.main.sync { MainActor.assumeIsolated { scheduler.time(poll) } }
        guard indicator.changes.wait(timeout: .now() + 60) == .success else { throw StillOn() }
        // The turn that switched the indicator off ends before this block begins.
        DispatchQueue.main.sync {}
        return scheduler.longestTurn.withLock { $0 } / .nanoseconds(1)
    }
}

/// Runs work on the main queue and times it. The benchmark calls the work of the polling timer itself.
private final class TimingScheduler: ActivityScheduler {
    private let repeating = Locked<(@MainActor @Sendable () -> Void)?>(nil)
    let longestTurn = Locked(Duration.zero)

    var poll: (@MainActor @Sendable () -> Void)? { repeating.withLock { $0 } }
    var now: SuspendingClock.Instant { SuspendingClock().now }

    func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated { self.time(work) } }
    }

    @MainActor
    func schedule(
        at deadline: SuspendingClock.Instant, repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer {
        let timer = MainQueueTimer { self.time(work) }
        if interval == nil {
            let delay = max(.zero, now.duration(to: deadline)) / .seconds(1)
            DispatchQueue.main.asyncAfter(deadline: .now() + delay) { timer.fire() }
        } else {
            repeating.withLock { $0 = work }
        }
        return timer
    }

    @MainActor
    func time(_ work: @MainActor @Sendable () -> Void) {
        let turn = ContinuousClock().measure { work() }
        longestTurn.withLock { $0 = max($0, turn) }
    }
}

@MainActor
private final class MainQueueTimer: ActivityTimer {
    private var work: (@MainActor () -> Void)?

    init(_ work: @escaping @MainActor () -> Void) { self.work = work }

    func fire() { work?() }
    func cancel() { work = nil }
}

private final class SignallingIndicator: ActivityIndicator {
    let changes = DispatchSemaphore(value: 0)

    nonisolated init() {}

    func setVisible(_ isVisible: Bool) { changes.signal() }
}
