/// What a turn does on the main actor, after unlocking.
struct Turn {
    let isVisibilityChanged: Bool
    /// The first indicator to notify.
    let delivery: Observers.Indicator?
    /// When the next turn is due even if nothing changes; `nil` if time alone changes nothing.
    let deadline: Timestamp?
    let pollInterval: Duration?
    /// The calls of `waitUntilIdle(timeout:)` whose time is over.
    let expiredWaiters: [Waiters.Continuation]
    let action: Action?
    /// Released last.
    let storage: TaskRegistry?
}

extension ActivityState {
    /// Begins a turn: loads one slice of a full sweep, or of the poll. A change after this requests another turn.
    mutating func beginTurn() -> (Sweep.Goal, Sweep.Slice) {
        isTurnRequested = false
        guard var sweep = fullSweep else { return (.anyLiveTask, poll.load(&tasks)) }
        let slice = sweep.load(&tasks)
        fullSweep = sweep.isComplete ? nil : sweep
        if sweep.isComplete { tasks.resetGrowth() }
        return (.everyTask, slice)
    }

    /// Ends a turn: decides whether the indicator is on, and when the timers fire.
    mutating func endTurn(_ slice: inout Sweep.Slice, at now: Timestamp) -> Turn {
        _ = apply(&slice, at: now)
        if isMonitored, fullSweep == nil, !tasks.isEmpty, lastFullSweep + pauseAfterFullSweep <= now {
            fullSweep = Sweep(.everyTask)
            lastFullSweep = now
        }
        let wasVisible = visibility.isVisible
        // If the app is busy and the slice contains no live task, the next slice may contain one.
        let isDetermined = !visibility.busyPeriod.isBusy || !tasks.explicitTasks.isEmpty || slice.hasLiveTask
        var deadline: Timestamp?
        if isDetermined || !isEnabled { deadline = visibility.step(isEnabled: isEnabled, at: now, configuration) }
        let isVisible = visibility.isVisible
        if isVisible != wasVisible { record(.visibilityChanged(isVisible)) }
        polledInterval = pollInterval(at: now)
        isPolledOften = polledInterval.map { $0 <= Self.shortestPollInterval } ?? false
        return Turn(
            isVisibilityChanged: isVisible != wasVisible,
            delivery: observers.nextDelivery(isVisible),
            deadline: [deadline, waiters.nextDeadline].compactMap(\.self).min(),
            pollInterval: polledInterval,
            expiredWaiters: waiters.removeExpired(at: now),
            action: action(requestsTurn: !isDetermined && !tasks.isEmpty || fullSweep != nil),
            // Frees the storage of an idle registry after unlocking.
            storage: tasks.isEmpty ? tasks.removeAll() : nil)
    }

    // MARK: Polling

    /// While a caller waits for the manager to be idle, the manager polls at least this often.
    private static let pollIntervalForWaiters: Duration = .milliseconds(100)
    /// With a monitor, explicit tasks are polled at least this often, because a poll reports tasks that last long.
    private static let pollIntervalForReports: Duration = .seconds(1)
    private static let shortestPollInterval: Duration = .milliseconds(50)

    /// How often to poll; `nil` if no task needs it.
    ///
    /// The interval is at most an eighth of the time since the last begin, so that a poll's error is at most an eighth of
    /// the work. The interval only doubles, so that the timer is rarely set again.
    private func pollInterval(at now: Timestamp) -> Duration? {
        var limit = configuration.completionCheckInterval
        if reportsLongRunning { limit = min(limit, Self.pollIntervalForReports) }
        guard tasks.weakCount > 0 else { return reportsLongRunning ? limit : nil }
        if !waiters.isEmpty { limit = min(limit, Self.pollIntervalForWaiters) }
        let age = lastWeakBegin.duration(to: now)
        var interval = min(Self.shortestPollInterval, limit)
        while interval < limit, min(interval * 2, limit) * 8 <= age { interval = min(interval * 2, limit) }
        return interval
    }

    /// Whether the timer is missing, or too slow, for the report of an explicit task.
    var needsReportTimer: Bool { reportsLongRunning && polledInterval.map { $0 > Self.pollIntervalForReports } ?? true }

    private var reportsLongRunning: Bool {
        isMonitored && !tasks.explicitTasks.isEmpty && configuration.longRunningTaskThreshold != nil
    }

    /// With a monitor, the shortest time between two examinations of every task. Polls right after a begin are too
    /// frequent to examine every task.
    private var pauseAfterFullSweep: Duration {
        min(configuration.completionCheckInterval, Self.pollIntervalForReports) / 2
    }
}
