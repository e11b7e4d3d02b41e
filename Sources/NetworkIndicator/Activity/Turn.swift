/// What the main actor does after a turn's examination has been committed.
struct Turn {
    enum Timer: Hashable {
        case once(at: Timestamp)
        case repeating(every: Duration)
    }

    let change: (isVisible: Bool, streams: [NetworkIndicatorManager.Attachment])?
    let timers: [Timer]
    let hasExpiredWaiters: Bool
    let needsAction: Bool
    let needsDelivery: Bool
}

extension ManagerState {
    /// If there is nothing to check and to release, the turn ends at once.
    mutating func beginTurn(at now: Timestamp) -> (Examination, Turn?) {
        isTurnRequested = true
        // Removed conditions request a turn, but must not restart the visits at the latest tasks.
        let remains = takeRemains()
        var examination = Examination(
            from: examinesEveryTask ? .max : nextUnvisitedCount, latestBegin: tasks.lastID, remains: remains)
        load(&examination)
        let endsNow = tasks.weakCount == 0 && examination.remains.isEmpty
        return (examination, endsNow ? endTurn(&examination, at: now) : nil)
    }

    mutating func endTurn(_ examination: inout Examination, at now: Timestamp) -> Turn? {
        guard commit(&examination, at: now) else { return nil }
        (isTurnRequested, latestSeenID) = (false, tasks.lastID)
        if let liveSince = tasks.explicitTasks.liveSince {
            visibility.seeLiveTask(since: liveSince, at: now, shortestPause: shortestPause)
        } else if tasks.isEmpty, visibility.isBusy, examination.hasEndedTask {
            // If `hasEndedTask` is `false`, a call ended the last task, and the call's thread records the time of the
            // end.
            visibility.becomeIdle(at: now)
        }
        let wasVisible = visibility.isVisible
        let hasLiveTask = examination.oldestLive != nil && tasks.weakCount > 0 || !tasks.explicitTasks.isEmpty
        let deadline = visibility.step(isEnabled: isEnabled, hasLiveTask: hasLiveTask, at: now, configuration)
        let isVisible = visibility.isVisible
        if isVisible != wasVisible {
            record(.visibilityChanged(isVisible))
            observers.changeValue()
        }
        let deadlines = [deadline, reportLongRunningTasks(at: now), waiters.values.lazy.map(\.deadline).min()]
        let pollInterval = pollInterval(oldestLive: examination.oldestLive, at: now)
        latestPollInterval = pollInterval ?? .zero
        let timers = [
            deadlines.compactMap(\.self).min().map(Turn.Timer.once), pollInterval.map(Turn.Timer.repeating),
        ]
        // The storage of an empty registry can still be large, so the caller releases it after unlocking.
        if tasks.isEmpty { examination.remains.append(tasks.removeAll()) }
        return Turn(
            change: isVisible != wasVisible ? (isVisible, Array(observers.others.values)) : nil,
            timers: timers.compactMap(\.self),
            hasExpiredWaiters: waiters.values.contains { $0.deadline <= now },
            needsAction: !events.isDelivered || !waiters.isEmpty || hasRemains,
            needsDelivery: observers.hasPending)
    }

    /// Whether a turn must release something, and no poll is scheduled that would do so. Code that a turn calls, such
    /// as a condition, may have removed it.
    var hasRemains: Bool { !remains.isEmpty || tasks.weakCount == 0 && !tasks.removedConditions.isEmpty }

    /// A thread that delivers events retains monitors, so another turn takes the remains after the delivery.
    mutating func takeRemains() -> [any Sendable] {
        defer { tasks.removedConditions = [] }
        guard events.isDelivered else { return tasks.removedConditions }
        defer { remains = [] }
        return remains + tasks.removedConditions
    }

    /// The waiters stay in the state until the turn has called indicators, because an indicator may run a nested run
    /// loop until a waiter returns.
    mutating func takeExpiredWaiters(at now: Timestamp) -> [Waiter] {
        let expired = waiters.values.filter { $0.deadline <= now }
        for waiter in expired { waiters[waiter.id] = nil }
        return expired
    }

    /// The interval to the next poll is at most an eighth of the age of the oldest live task, or at most 50 ms if that
    /// is longer. While a caller waits, the interval is at most 100 ms, so that a program ends promptly. The interval
    /// grows by doubling, so that the manager rarely reschedules the timer.
    private func pollInterval(oldestLive: Timestamp?, at now: Timestamp) -> Duration? {
        guard tasks.weakCount > 0 else { return nil }
        let age = oldestLive?.duration(to: now) ?? .zero
        let limit = min(configuration.completionCheckInterval, waiters.isEmpty ? .longest : .milliseconds(100))
        var interval = min(.milliseconds(50), limit)
        while interval < limit, min(interval * 2, limit) * 8 <= age { interval = min(interval * 2, limit) }
        return interval
    }

    // MARK: Long-running tasks

    /// A turn that isn't due visits no task, because a later task can't become long-running before the earlier ones.
    ///
    /// - Returns: The time of the next report.
    private mutating func reportLongRunningTasks(at now: Timestamp) -> Timestamp? {
        guard isMonitored, !tasks.isEmpty, let threshold = configuration.longRunningTaskThreshold else {
            nextReport = nil
            return nil
        }
        if let nextReport, now < nextReport { return nextReport }
        let latestBegin = now + (.zero - threshold)
        let unreported = tasks.records.filter { $0.began > reportedBegin }
        for task in unreported where task.began <= latestBegin {
            record(.stillRunning(NetworkTaskInfo(record: task, asOf: now)))
        }
        reportedBegin = max(reportedBegin, latestBegin)
        nextReport = unreported.lazy.map(\.began).filter { $0 > latestBegin }.min().map { $0 + threshold }
        return nextReport
    }
}
