/// The state of the tasks and settings at one moment, for a reconcile.
struct Snapshot {
    let now: Timestamp
    let input: VisibilityStateMachine.Input
    let configuration: NetworkIndicatorManager.Configuration
    /// Whether the input is valid even if an unfinished sweep has found no live task.
    let isCertain: Bool
    /// How often to poll; `nil` if no task needs it.
    let pollInterval: Duration?
    let isMonitored: Bool
    let nextWaitDeadline: SuspendingClock.Instant?
}

extension TaskTracker.State {
    /// Records an edge that a sweep caused, and returns the current state. The caller must set the poll timer: later
    /// calls don't request it.
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
        polledInterval = pollInterval
        return Snapshot(
            now: now, input: input, configuration: configuration,
            isCertain: !registry.explicitTasks.isEmpty || !isEnabled,
            pollInterval: pollInterval, isMonitored: events.isMonitored,
            nextWaitDeadline: waiters.nextDeadline?.instant)
    }

    /// Returns the storage of an idle registry, to be freed after unlocking.
    mutating func takeIdleStorage() -> TaskRegistry? { registry.isBusy ? nil : registry.removeAll() }

    mutating func publish(isVisible: Bool) {
        if observers.setVisible(isVisible) { events.append(.visibilityChanged(isVisible)) }
    }
}
