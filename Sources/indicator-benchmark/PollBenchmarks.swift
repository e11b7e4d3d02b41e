import Dispatch
import NetworkIndicator

/// What polling costs the main thread.
enum PollBenchmarks {
    static var all: [Benchmark] {
        let ticks = [1, 100, 10_000, 1_000_000].map { live in
            Benchmark(name: "poll.tick", live: live, measurement: .pairs { tick(live) })
        }
        let ends = [
            Benchmark(
                name: "poll.all-dead.longest-slice", live: 1_000_000,
                measurement: .value(rounds: 7, quickRounds: 2) { try allDead(1_000_000).longestSlice }),
            Benchmark(
                name: "poll.all-dead.total", live: 1_000_000,
                measurement: .value(rounds: 7, quickRounds: 2) { try allDead(1_000_000).total }),
        ]
        return ticks + ends
    }

    /// The work of the polling timer, on the main thread, while the indicator is on.
    private static func tick(_ live: Int) -> Pairs {
        let scheduler = HandDrivenScheduler()
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let tokens = (0..<live).map { _ in Token() }
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        // The first main turn shows the indicator and starts to poll.
        DispatchQueue.main.sync {}
        guard manager.isIndicatorVisible, let poll = scheduler.poll else { fatalError("no indicator, or no poll") }
        return { count in
            DispatchQueue.main.sync {
                MainActor.assumeIsolated { for _ in 0..<count { poll() } }
            }
            withExtendedLifetime((manager, tokens)) {}
        }
    }

    private struct AllDead: Error, CustomStringConvertible {
        var longestSlice = 0.0
        var total = 0.0

        var description: String { "the indicator did not go off in the poll after its tokens died" }
    }

    /// All tokens die at once. The next poll has to find that out and switch the indicator off: there is no other.
    private static func allDead(_ live: Int) throws -> AllDead {
        let scheduler = TimingScheduler()
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let indicator = SignallingIndicator()
        manager.attach(indicator)
        var tokens = (0..<live).map { _ in Token() }
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        withExtendedLifetime(tokens) { indicator.changes.wait() }
        DispatchQueue.main.sync {}  // the slice that switched the indicator on has ended, too
        guard let poll = scheduler.poll else { fatalError("no poll") }
        tokens.removeAll()
        scheduler.startOver()
        DispatchQueue.main.sync { MainActor.assumeIsolated { poll() } }
        guard indicator.changes.wait(timeout: .now() + 60) == .success else { throw AllDead() }
        DispatchQueue.main.sync {}
        let slices = scheduler.slices
        guard let first = slices.first, let last = slices.last else { fatalError("no slice") }
        return AllDead(
            longestSlice: slices.map { $0.start.duration(to: $0.end) / .nanoseconds(1) }.max() ?? .nan,
            total: first.start.duration(to: last.end) / .nanoseconds(1))
    }
}

/// Keeps the polling timer's work for the benchmark to call.
private final class HandDrivenScheduler: ActivityScheduler {
    private let repeating = Lock<(@MainActor @Sendable () -> Void)?>(nil)

    var poll: (@MainActor @Sendable () -> Void)? { repeating.withLock { $0 } }
    var now: SuspendingClock.Instant { SuspendingClock().now }

    func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated { work() } }
    }

    @MainActor
    func schedule(
        at deadline: SuspendingClock.Instant, repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer {
        if interval != nil { repeating.withLock { $0 = work } }
        return NoTimer()
    }
}

private final class NoTimer: ActivityTimer {
    func cancel() {}
}

/// The scheduler of real programs, with a look at the clock before and after all it runs; the polling timer's work is kept
/// for the benchmark to call.
private final class TimingScheduler: ActivityScheduler {
    struct Slice {
        let start: ContinuousClock.Instant
        let end: ContinuousClock.Instant
    }

    private let main = MainScheduler()
    private let timed = Lock<[Slice]>([])
    private let repeating = Lock<(@MainActor @Sendable () -> Void)?>(nil)

    var poll: (@MainActor @Sendable () -> Void)? { repeating.withLock { $0 } }
    var now: SuspendingClock.Instant { main.now }
    /// Since ``startOver()``, in order.
    var slices: [Slice] { timed.withLock { $0 } }

    func startOver() { timed.withLock { $0 = [] } }

    func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) {
        main.performOnMain { self.time(work) }
    }

    @MainActor
    func schedule(
        at deadline: SuspendingClock.Instant, repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer {
        guard interval == nil else {
            repeating.withLock { $0 = { self.time(work) } }
            return NoTimer()
        }
        return main.schedule(at: deadline, repeatingEvery: nil) { self.time(work) }
    }

    @MainActor
    private func time(_ work: @MainActor @Sendable () -> Void) {
        let start = ContinuousClock().now
        work()
        let slice = Slice(start: start, end: ContinuousClock().now)
        timed.withLock { $0.append(slice) }
    }
}

private final class SignallingIndicator: ActivityIndicator {
    let changes = DispatchSemaphore(value: 0)

    nonisolated init() {}

    func setVisible(_ isVisible: Bool) { changes.signal() }
}
