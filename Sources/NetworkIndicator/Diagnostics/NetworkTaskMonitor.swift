/// Hears of everything that happens to a manager's tasks and to its indicator.
///
/// Attach one with ``NetworkIndicatorManager/addMonitor(_:)``, to log, to record, or to find what keeps the indicator on.
public protocol NetworkTaskMonitor: Sendable {
    /// Called for each event, in the order of what happened, one at a time.
    ///
    /// It runs on whatever thread delivers, outside of all locks, possibly just after the call that caused the event
    /// has returned. It may call the manager, but must not wait for ``NetworkIndicatorManager/waitUntilIdle()``, which
    /// waits for it.
    ///
    /// It should be quick: calls for any task wait for it at times, the main thread's included, and tell also of some of
    /// what other threads add meanwhile. Where those keep adding faster than it hears, a background thread takes over, and
    /// events pile up in memory until it has caught up. Who wants to know that it has waits until the manager is idle.
    func networkIndicator(_ event: NetworkTaskEvent)
}

/// What a monitor hears.
public enum NetworkTaskEvent: Sendable {
    /// A task began.
    case began(NetworkTaskInfo)
    /// A task ended, or its end was noticed.
    case ended(NetworkTaskInfo, NetworkTaskEnd)
    /// A task has been running for longer than `longRunningTaskThreshold`. Once per task.
    case stillRunning(NetworkTaskInfo)
    /// A call could not mean what it said.
    case misuse(NetworkTaskMisuse)
    /// The indicator went on or off.
    case visibilityChanged(Bool)
}

/// How a task ended.
public enum NetworkTaskEnd: Sendable, Hashable {
    /// Somebody said so, or an opaque token was released, or a scope was left.
    case finished
    /// The caller's object was found to be gone.
    case deallocated
    /// The manager was reset.
    case reset
}

/// An attached monitor. Dropping it detaches nothing.
public final class MonitorAttachment: Sendable {
    let monitor: any NetworkTaskMonitor
    private let tracker: TaskTracker

    init(_ monitor: any NetworkTaskMonitor, tracker: TaskTracker) {
        self.monitor = monitor
        self.tracker = tracker
    }

    /// Ends the monitor's hearing. Any thread; idempotent. Events of what happened before may
    /// still arrive afterwards.
    public func detach() { tracker.detach(self) }
}
