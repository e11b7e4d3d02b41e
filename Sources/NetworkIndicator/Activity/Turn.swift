/// What the main actor does after a turn's examination has been committed.
struct Turn {
    enum Timer: Hashable {
        case once(at: Timestamp)
        case repeating(every: Duration)
    }

    let change: (isVisible: Bool, streams: [NetworkIndicatorManager.Attachment])?
    let timers: [Timer]
    let needsAction: Bool
    let needsDelivery: Bool
    let hasExpiredWaiters: Bool
}

extension ManagerState {
    mutating func beginTurn() -> Examination {
        isTurnRequested = true
        var examination = Examination(latestBegin: tasks.lastID)
        if asksSources { examination.sources = sources }
        asksSources = false
        load(&examination)
        return examination
    }

    mutating func endTurn(_ examination: inout Examination) -> Turn? {
        examination.remains = takeRemains()
        let now = now
        guard commit(&examination, at: now) else { return nil }
        (isTurnRequested, latestSeenID) = (false, tasks.lastID)
        let wasVisible = visibility.isVisible
        let hasLiveTask = examination.oldestLive != nil || !tasks.explicitTasks.isEmpty
        let deadline = visibility.step(isEnabled: isEnabled, hasLiveTask: hasLiveTask, at: now, configuration)
        let isVisible = visibility.isVisible
        if isVisible != wasVisible { record(.visibilityChanged(isVisible)) }
        reportLongRunningTasks(at: now)
        let deadlines = [deadline, nextReport, waiters.values.lazy.map(\.deadline).min()]
        pollInterval = nextPollInterval(oldestLive: examination.oldestLive, at: now)
        let deadlineTimer = deadlines.compactMap(\.self).min().map(Turn.Timer.once)
        // The storage of an empty registry can still be large, so the caller releases it after unlocking.
        if tasks.isEmpty { examination.remains.append(tasks.removeAll()) }
        return Turn(
            change: isVisible != wasVisible ? (isVisible, Array(observers.others.values)) : nil,
            timers: [deadlineTimer, pollInterval.map(Turn.Timer.repeating)].compactMap(\.self),
            needsAction: !events.isDelivered || !waiters.isEmpty,
            needsDelivery: observers.hasPending(isVisible),
            hasExpiredWaiters: waiters.values.contains { $0.deadline <= now })
    }

    /// A thread that delivers events retains monitors, so another turn takes the remains after the delivery.
    private mutating func takeRemains() -> [any Sendable] {
        defer { tasks.removedConditions = [] }
        guard events.isDelivered else { return tasks.removedConditions }
        defer { remains = [] }
        return remains + tasks.removedConditions
    }

    /// The waiters stay in the state until the turn has called indicators, because an indicator may run a nested run
    /// loop until a waiter returns.
    mutating func takeExpiredWaiters() -> [Waiter] {
        let now = now
        let expired = waiters.values.filter { $0.deadline <= now }
        for waiter in expired { waiters[waiter.id] = nil }
        return expired
    }

    /// The interval to the next poll is at most an eighth of the age of the oldest live task, or at most 50 ms if that
    /// is longer. While a caller waits, the interval is at most 100 ms, so that a program ends promptly. The interval
    /// grows by doubling, so that the manager rarely reschedules the timer.
    private func nextPollInterval(oldestLive: Timestamp?, at now: Timestamp) -> Duration? {
        guard tasks.weakCount > 0 else { return nil }
        let age = oldestLive.map { now - $0 } ?? .zero
        let limit = min(configuration.completionCheckInterval, waiters.isEmpty ? .longest : .milliseconds(100))
        var interval = min(.milliseconds(50), limit)
        while interval < limit, min(interval * 2, limit) * 8 <= age { interval = min(interval * 2, limit) }
        return interval
    }

    // MARK: Long-running tasks

    /// A later task can't become long-running before an earlier one. A turn that isn't due therefore visits no task,
    /// and an identifier separates the tasks that have been reported from the others.
    private mutating func reportLongRunningTasks(at now: Timestamp) {
        guard !tasks.isEmpty, let threshold = reportThreshold else { return nextReport = nil }
        if let nextReport, now < nextReport { return }
        let latestBegin = now - threshold
        let unreported = tasks.records.filter { $0.id > latestReportedID }
        for task in unreported where task.began <= latestBegin {
            record(.stillRunning(NetworkTaskInfo(record: task, asOf: now)))
            latestReportedID = max(latestReportedID, task.id)
        }
        nextReport = unreported.lazy.map(\.began).filter { $0 > latestBegin }.min().map { $0 + threshold }
    }
}
