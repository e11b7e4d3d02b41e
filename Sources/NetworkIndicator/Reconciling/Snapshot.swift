/// The truth about tasks and settings at one moment, as a reconcile uses it.
struct Snapshot {
    let input: VisibilityStateMachine.Input
    let configuration: NetworkIndicatorManager.Configuration
    /// Whether the input holds although a sweep has not found a live task yet.
    let isCertain: Bool
    /// How often to poll; `nil` where no task needs it.
    let pollInterval: Duration?
    let isMonitored: Bool
    let nextWaitDeadline: SuspendingClock.Instant?
    /// The published visibility, and whether every observer has received it.
    let isVisible: Bool
    let areObserversUpToDate: Bool
}

extension TaskTracker.State {
    /// While a caller waits for the manager to be idle, it polls at least this often.
    private static let pollIntervalForWaiters: Duration = .milliseconds(100)
    /// Monitors learn of a long-running explicit task at most this late.
    private static let pollIntervalForReports: Duration = .seconds(1)

    /// Records an edge that a sweep caused, and reads the truth. The caller starts the timers: no call requests them
    /// from here on.
    mutating func takeSnapshot(at now: Timestamp) -> Snapshot {
        updateBusyState(at: now)
        busyPeriod.endIfIdle(at: now, hideDelay: configuration.hideDelay)
        let input: VisibilityStateMachine.Input =
            if !isEnabled {
                .disabled
            } else if busyPeriod.isBusy {
                .busy(time: busyPeriod.busyTime(at: now))
            } else {
                .idle(since: busyPeriod.since.instant)
            }
        isPollingWeakTasks = needsWeakPolling
        isPollingExplicitTasks = needsExplicitPolling
        return Snapshot(
            input: input, configuration: configuration,
            isCertain: !registry.explicitTasks.isEmpty || !isEnabled,
            pollInterval: pollInterval, isMonitored: events.isMonitored,
            nextWaitDeadline: waiters.nextDeadline?.instant,
            isVisible: observers.isVisible, areObserversUpToDate: observers.isUpToDate)
    }

    private var pollInterval: Duration? {
        guard needsWeakPolling || needsExplicitPolling else { return nil }
        var interval = configuration.completionCheckInterval
        if needsExplicitPolling { interval = min(interval, Self.pollIntervalForReports) }
        if needsWeakPolling, !waiters.isEmpty { interval = min(interval, Self.pollIntervalForWaiters) }
        return interval
    }

    /// Returns the storage of an idle registry, to be freed after unlocking.
    mutating func takeIdleStorage() -> TaskRegistry? { registry.isBusy ? nil : registry.removeAll() }

    mutating func publish(isVisible: Bool) {
        if observers.setVisible(isVisible) { events.append(.visibilityChanged(isVisible)) }
    }
}
