public import NetworkIndicator

/// A scheduler whose time stands still until a test advances it.
///
/// Only this scheduler's methods fire timers and run the closures that were passed to it. While `waitUntilIdle()`
/// waits, another Swift task must therefore advance the time, after ``waitForWaiters(of:_:)``. A released manager turns
/// its indicators off in the next ``advance(by:)``. Until then, the scheduler retains them and the manager's monitors.
///
/// ```swift
/// let scheduler = ManualScheduler()
/// let manager = NetworkIndicatorManager(
///     configuration: .standard, scheduler: scheduler)
/// let token = manager.beganNetworkTask()
/// scheduler.advance(by: .milliseconds(99))
/// #expect(!manager.isIndicatorVisible)
/// scheduler.advance(by: .milliseconds(1))
/// #expect(manager.isIndicatorVisible)
/// token.finish()
/// ```
///
/// The scheduler is also a clock, for code that takes `any Clock<Duration>`. ``advance(by:)`` wakes each task whose
/// sleep is over, in the order of the deadlines of sleeps and timers. The task resumes on its own executor, so call
/// ``waitForSleepers(_:)`` before you advance the time for its next sleep.
public final class ManualScheduler: ActivityScheduler, Clock {
    private struct Scheduled {
        let order: UInt64
        let deadline: SuspendingClock.Instant
        let interval: Duration?
        let work: @MainActor @Sendable () -> Void
        /// A `ManualTimer`, the `Signal` of a sleep, or `nil` for work from `performOnMain(_:)`.
        let owner: (any AnyObject & Sendable)?
    }

    private struct State {
        var now: SuspendingClock.Instant
        var nextOrder: UInt64 = 0
        var scheduled: [Scheduled] = []
        var listeners: [Signal] = []

        var hasWork: Bool { scheduled.contains { $0.owner == nil } }

        mutating func add(
            at deadline: SuspendingClock.Instant, interval: Duration? = nil, owner: (any AnyObject & Sendable)? = nil,
            _ work: @escaping @MainActor @Sendable () -> Void
        ) {
            scheduled.append(
                Scheduled(order: nextOrder, deadline: deadline, interval: interval, work: work, owner: owner))
            nextOrder += 1
        }

        mutating func takeNext(upTo limit: SuspendingClock.Instant) -> Scheduled? {
            let next = scheduled.indices.min {
                (scheduled[$0].deadline, scheduled[$0].order) < (scheduled[$1].deadline, scheduled[$1].order)
            }
            guard let next, scheduled[next].deadline <= limit else { return nil }
            let taken = scheduled.remove(at: next)
            now = max(now, taken.deadline)
            if let interval = taken.interval {
                // Like a run loop, the scheduler skips missed firings.
                var deadline = taken.deadline.advanced(by: interval)
                while deadline <= now { deadline = deadline.advanced(by: interval) }
                add(at: deadline, interval: interval, owner: taken.owner, taken.work)
            }
            return taken
        }
    }

    private let state: Lock<State>

    /// Creates a scheduler whose time starts at the current time.
    public init() {
        state = Lock(State(now: SuspendingClock().now))
    }

    public var now: SuspendingClock.Instant { state.withLock { $0.now } }

    /// The number of pending timers. An idle manager has no timers, unless it tracks URLSession tasks that are
    /// suspended or waiting for the network.
    /// Sleeping tasks don't count.
    public var timerCount: Int { state.withLock { state in state.scheduled.count { $0.owner is ManualTimer } } }

    package var sleeperCount: Int { state.withLock { state in state.scheduled.count { $0.owner is Signal } } }

    package var hasWork: Bool { state.withLock { $0.hasWork } }

    /// Advances the time, and runs all work that becomes due, including work that is added meanwhile. The work runs in
    /// the order of its deadlines. Before each piece of work runs, ``now`` advances to its deadline.
    ///
    /// - Parameter duration: The time to advance by. Negative values count as zero. If the duration is zero, only work
    ///   that is already due runs.
    @MainActor
    public func advance(by duration: Duration) {
        let end = now.advanced(by: max(.zero, duration))
        // The work itself may have advanced the time beyond `end`.
        while let next = state.withLock({ $0.takeNext(upTo: max(end, $0.now)) }) { next.work() }
        state.withLock { $0.now = max($0.now, end) }
    }

    /// Waits until the scheduler has timers, and meanwhile runs work that is due, without advancing the time.
    ///
    /// Call this method before you advance the time for code that another Swift task executes.
    ///
    /// - Parameter count: The number of timers to wait for.
    @MainActor
    public func waitForTimers(_ count: Int = 1) async { await wait { timerCount >= count } }

    /// Waits until tasks are asleep on this clock, and meanwhile runs work that is due, without advancing the time.
    ///
    /// - Parameter count: The number of sleeping tasks to wait for.
    @MainActor
    public func waitForSleepers(_ count: Int = 1) async {
        await wait { sleeperCount >= count }
    }

    /// Waits until calls of `waitUntilIdle()` or `waitUntilIdle(timeout:)` are waiting, and meanwhile runs work that is
    /// due, without advancing the time.
    ///
    /// A timeout begins when `waitUntilIdle(timeout:)` is called. If the call executes after the test has advanced the
    /// time, the timeout never expires.
    ///
    /// - Parameters:
    ///   - manager: A manager that uses this scheduler.
    ///   - count: The number of calls to wait for.
    @MainActor
    public func waitForWaiters(of manager: NetworkIndicatorManager, _ count: Int = 1) async {
        await wait { manager.settledWaiterCount >= count }
    }

    /// Also returns when the calling Swift task is cancelled, for example by the time limit of a test.
    @MainActor
    private func wait(until isOver: () -> Bool) async {
        while true {
            advance(by: .zero)
            if isOver() || Task.isCancelled { return }
            let listener = Signal()
            let hasWork = state.withLock { state in
                if !state.hasWork { state.listeners.append(listener) }
                return state.hasWork
            }
            if !hasWork { try? await listener.wait() }
        }
    }

    /// Advances the time without running work, as if the main thread were blocked.
    package func stall(for duration: Duration) {
        state.withLock { $0.now = $0.now.advanced(by: duration) }
    }

    public func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) {
        add { $0.add(at: $0.now, work) }
    }

    @MainActor
    public func schedule(
        at deadline: SuspendingClock.Instant,
        repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer {
        let timer = ManualTimer(scheduler: self)
        // With an interval of zero, `advance(by:)` would never return.
        let interval = interval.map { max($0, .nanoseconds(1)) }
        add { $0.add(at: max($0.now, deadline), interval: interval, owner: timer, work) }
        return timer
    }

    /// One nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Suspends the calling task until ``advance(by:)`` has reached `deadline`. If that time has passed, this method
    /// returns at once. This clock ignores the tolerance.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    public func sleep(until deadline: SuspendingClock.Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let signal = Signal()
        var isOver = false
        add { state in
            isOver = deadline <= state.now
            if !isOver { state.add(at: deadline, owner: signal) { signal.send() } }
        }
        defer { cancel(signal) }
        if !isOver { try await signal.wait() }
    }

    private func add(_ change: (inout State) -> Void) {
        let listeners = state.withLock { state in
            change(&state)
            defer { state.listeners = [] }
            return state.listeners
        }
        for listener in listeners { listener.send() }
    }

    fileprivate func cancel(_ owner: any AnyObject & Sendable) {
        let released = state.withLock { state in
            let index = state.scheduled.firstIndex { $0.owner === owner }
            return index.map { state.scheduled.remove(at: $0) }
        }
        withExtendedLifetime(released) {}  // Releasing the work under the lock could deadlock.
    }
}

@MainActor
private final class ManualTimer: ActivityTimer {
    // A pending timer belongs to its scheduler.
    private weak var scheduler: ManualScheduler?

    init(scheduler: ManualScheduler) { self.scheduler = scheduler }

    func cancel() { scheduler?.cancel(self) }
}
