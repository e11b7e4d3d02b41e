/// Where a manager gets its time, its way to the main actor and its timers from.
///
/// Managers use the main thread's run loop and queue unless told otherwise. Tests hand in a scheduler that they drive
/// themselves (`ManualScheduler` of NetworkIndicatorTestKit), so that no test ever waits for real time.
public protocol ActivityScheduler: Sendable {
    /// The present time. Any thread.
    ///
    /// It does not advance while the machine sleeps, as Dispatch's and the run loop's timers don't.
    var now: SuspendingClock.Instant { get }

    /// Runs `work` on the main actor at its next opportunity: never inline, each once, in the order of the calls.
    /// Any thread.
    func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void)

    /// Runs `work` on the main actor once `deadline` has come (at the next opportunity where it has passed), and then,
    /// where an interval is given, after each further interval, until the timer is cancelled.
    ///
    /// - Parameters:
    ///   - deadline: When to fire first.
    ///   - interval: The period of a repeating timer, or `nil` for one that fires once.
    ///   - work: What to run. It is released when the timer is cancelled, and after a single firing.
    /// - Returns: The timer. Releasing it does not cancel it.
    @MainActor
    func schedule(
        at deadline: SuspendingClock.Instant,
        repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer
}

/// A timer made by an ``ActivityScheduler``.
@MainActor
public protocol ActivityTimer: AnyObject, Sendable {
    /// Stops the timer: its work does not run again. Idempotent.
    func cancel()
}
