/// Provides a manager's clock and timers, and runs the manager's work on the main actor.
///
/// The default scheduler uses `SuspendingClock`, the main run loop and the main queue. Tests can pass a scheduler whose
/// time they control, such as `ManualScheduler` of NetworkIndicatorTestKit.
public protocol ActivityScheduler: Sendable {
    /// The current time. Managers may read this property on any thread, and while they hold a lock, so it must not call
    /// a manager.
    ///
    /// `SuspendingClock` doesn't advance while the device is asleep. It advances while the system has suspended the
    /// app.
    var now: SuspendingClock.Instant { get }

    /// Runs `work` once on the main actor, asynchronously and as soon as possible. Closures run in the order of the
    /// calls. Managers may call this method on any thread.
    func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void)

    /// Runs `work` on the main actor at `deadline`, or as soon as possible if that time has passed. A scheduler may
    /// shorten the first delay and the period of a repeating timer by up to a tenth of `interval`, to combine wake-ups.
    ///
    /// - Parameters:
    ///   - deadline: The time at which the timer first fires.
    ///   - interval: The period of a repeating timer, or `nil` for a timer that fires once.
    ///   - work: The closure to run. The timer releases the closure when the timer is cancelled. A timer that fires
    ///     only once also releases the closure after firing.
    /// - Returns: The timer. Releasing the timer doesn't cancel it.
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
    /// Stops the timer, so that its work doesn't run again. This method is idempotent.
    func cancel()
}
