/// What a turn does on the main actor, after unlocking.
struct Turn {
    /// A timer that runs a turn, even if nothing has changed.
    enum Timer: Hashable {
        case once(at: Timestamp)
        case repeating(every: Duration)
    }

    let isVisibilityChanged: Bool
    /// The first indicator to notify.
    let delivery: Observers.Indicator?
    let timers: [Timer]
    /// The calls of `waitUntilIdle(timeout:)` whose time is over.
    let expiredWaiters: [Waiter]
    let action: Action?
    /// Released last.
    let storage: TaskRegistry?
}

extension ActivityState {
    /// Begins a turn: loads the next slice. Changes before the end of the turn need no other turn.
    mutating func beginTurn() -> Sweep.Slice {
        isTurnRequested = true
        let slice = sweep.load(&tasks)
        if sweep.isComplete {
            if isSweepingEveryTask { tasks.resetGrowth() }
            sweep = Sweep(.anyLiveTask)
        }
        return slice
    }

    /// Ends a turn: decides whether the indicator is on, and when the timers fire.
    mutating func endTurn(_ slice: inout Sweep.Slice, at now: Timestamp) -> Turn {
        isTurnRequested = false
        _ = apply(&slice, at: now)
        if isMonitored, !isSweepingEveryTask, !tasks.isEmpty, lastFullSweep + pauseAfterFullSweep <= now {
            sweepEveryTask()
            lastFullSweep = now
        }
        let wasVisible = visibility.isVisible
        // If the app is busy and the slice contains no live task, the next slice may contain one.
        let isDetermined = !visibility.isBusy || !tasks.explicitTasks.isEmpty || slice.showsLiveTask
        var deadline: Timestamp?
        if isDetermined || !isEnabled { deadline = visibility.step(isEnabled: isEnabled, at: now, configuration) }
        let isVisible = visibility.isVisible
        if isVisible != wasVisible { record(.visibilityChanged(isVisible)) }
        pollInterval = nextPollInterval(at: now)
        let expiredWaiters = waiters.filter { $0.isExpired(at: now) }
        waiters.removeAll { $0.isExpired(at: now) }
        let nextDeadline = ([deadline] + waiters.map(\.deadline)).compactMap(\.self).min()
        return Turn(
            isVisibilityChanged: isVisible != wasVisible,
            delivery: observers.nextDelivery(isVisible),
            timers: [nextDeadline.map(Turn.Timer.once), pollInterval.map(Turn.Timer.repeating)].compactMap(\.self),
            expiredWaiters: expiredWaiters,
            action: action(requestsTurn: !isDetermined && !tasks.isEmpty || isSweepingEveryTask),
            // Frees the storage of an idle registry after unlocking.
            storage: tasks.isEmpty ? tasks.removeAll() : nil)
    }

    // MARK: Polling

    /// While a caller waits for the manager to be idle, the manager polls at least this often.
    private static let pollIntervalForWaiters: Duration = .milliseconds(100)
    /// With a monitor, explicit tasks are polled at least this often, because polls report long-running tasks.
    private static let pollIntervalForReports: Duration = .seconds(1)
    private static let shortestPollInterval: Duration = .milliseconds(50)

    /// How often to poll; `nil` if no task needs it.
    ///
    /// The interval is at most an eighth of the time since the last begin, so that a poll's error is at most an eighth of
    /// the work. The interval only doubles, so that the timer is rarely set again.
    private func nextPollInterval(at now: Timestamp) -> Duration? {
        var limit = configuration.completionCheckInterval
        if reportsLongRunning { limit = min(limit, Self.pollIntervalForReports) }
        guard tasks.weakCount > 0 else { return reportsLongRunning ? limit : nil }
        if !waiters.isEmpty { limit = min(limit, Self.pollIntervalForWaiters) }
        let age = lastWeakBegin.duration(to: now)
        var interval = min(Self.shortestPollInterval, limit)
        while interval < limit, min(interval * 2, limit) * 8 <= age { interval = min(interval * 2, limit) }
        return interval
    }

    /// Whether polls are as frequent as possible. If not, a begin of a weak task needs a turn.
    var isPolledOften: Bool { pollInterval.map { $0 <= Self.shortestPollInterval } ?? false }

    /// Whether polls are missing, or too rare, to report a long-running explicit task.
    var needsReportTimer: Bool { reportsLongRunning && pollInterval.map { $0 > Self.pollIntervalForReports } ?? true }

    private var reportsLongRunning: Bool {
        isMonitored && !tasks.explicitTasks.isEmpty && configuration.longRunningTaskThreshold != nil
    }

    /// With a monitor, the shortest time between two examinations of every task. Polls right after a begin are too
    /// frequent to examine every task.
    private var pauseAfterFullSweep: Duration {
        min(configuration.completionCheckInterval, Self.pollIntervalForReports) / 2
    }
}
