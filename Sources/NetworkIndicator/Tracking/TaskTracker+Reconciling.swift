extension TaskTracker.State {
    /// What is true at `now`. Whoever asks takes on the timers: from here on nobody needs to ask for them.
    mutating func situation(at now: Timestamp) -> TaskTracker.Situation {
        busyPeriod.endIfIdle(at: now, hideDelay: configuration.hideDelay)
        let input: VisibilityStateMachine.Input =
            if !isEnabled {
                .disabled
            } else if busyPeriod.isBusy {
                .busy(time: busyPeriod.busyTime(at: now))
            } else {
                .idle(since: busyPeriod.since.instant)
            }
        isPolling = !registry.weakTasks.isEmpty
        let threshold = events.isMonitored && registry.hasCertainTasks ? configuration.longRunningTaskThreshold : nil
        isWatchingLongRunning = threshold != nil
        return TaskTracker.Situation(
            input: input, configuration: configuration, isCertain: registry.hasCertainTasks || !isEnabled,
            pollInterval: isPolling ? configuration.completionCheckInterval : nil, watchThreshold: threshold)
    }

    /// Notes that the indicator is on or off.
    mutating func show(_ isVisible: Bool) -> TaskTracker.FollowUp {
        if outputs.isVisible != isVisible {
            outputs.isVisible = isVisible
            events.append(.visibilityChanged(isVisible))
        }
        return TaskTracker.FollowUp(reconcile: nil, waiters: [], hasEvents: events.needsDelivery)
    }
}
