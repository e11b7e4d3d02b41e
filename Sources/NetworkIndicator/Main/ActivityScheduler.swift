/// Provides the time, the main-actor calls and the timers of a manager.
///
/// By default, managers use the main thread's run loop and queue. Tests pass a scheduler whose time they control, such
/// as `ManualScheduler` of NetworkIndicatorTestKit, so they don't wait for real time.
public protocol ActivityScheduler: Sendable {
    /// The current time. Any thread.
    ///
    /// Like the timers of Dispatch and of run loops, it does not advance while the machine sleeps.
    var now: SuspendingClock.Instant { get }

    /// Runs `work` once on the main actor, as soon as possible but never inline. Work runs in the order of the calls.
    /// Any thread.
    func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void)

    /// Runs `work` on the main actor at `deadline`, or as soon as possible if that has passed. If there is an interval,
    /// it runs again after each interval, until the timer is cancelled. A repeating timer may fire up to a tenth of the
    /// interval early, so that the system can combine wake-ups.
    ///
    /// - Parameters:
    ///   - deadline: When to fire first.
    ///   - interval: The period of a repeating timer, or `nil` for one that fires once.
    ///   - work: The closure to run. It is released when the timer is cancelled, or after the only firing.
    /// - Returns: The timer. Releasing it does not cancel it.
    @MainActor
    func schedule(
        at deadline: SuspendingClock.Instant,
        repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer
}

/// A timer that an ``ActivityScheduler`` created.
@MainActor
public protocol ActivityTimer: AnyObject, Sendable {
    /// Stops the timer: its work does not run again. Idempotent.
    func cancel()
}
