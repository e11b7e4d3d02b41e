/// What the main actor does after a turn's examination has been committed.
struct Turn {
    enum Timer: Hashable {
        case once(at: Timestamp)
        case repeating(every: Duration)
    }

    let change: (isVisible: Bool, streams: [NetworkIndicatorManager.Attachment])?
    let timers: [Timer]
    let expiredWaiters: [Waiter]
    let needsAction: Bool
    let needsDelivery: Bool
    let storage: TaskRegistry?
}

extension ManagerState {
    mutating func endTurn(_ examination: inout Examination, at now: Timestamp) -> Turn? {
        guard commit(&examination, at: now) else { return nil }
        (isTurnRequested, latestSeenID) = (false, tasks.lastID)
        if let liveSince = tasks.explicitTasks.liveSince {
            visibility.seeLiveTask(since: liveSince, at: now, hideDelay: configuration.hideDelay)
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
        let expiredWaiters = waiters.values.filter { $0.deadline.map { $0 <= now } ?? false }
        for waiter in expiredWaiters { waiters[waiter.id] = nil }
        let deadlines = [deadline, reportLongRunningTasks(at: now), waiters.values.lazy.compactMap(\.deadline).min()]
        let timers = [
            deadlines.compactMap(\.self).min().map(Turn.Timer.once),
            pollInterval(oldestLive: examination.oldestLive, at: now).map(Turn.Timer.repeating),
        ]
        return Turn(
            change: isVisible != wasVisible ? (isVisible, Array(observers.others.values)) : nil,
            timers: timers.compactMap(\.self),
            expiredWaiters: expiredWaiters,
            needsAction: !events.isDelivered || !waiters.isEmpty,
            needsDelivery: observers.hasPending,
            // The storage of an empty registry can still be large, so the caller releases it after unlocking.
            storage: tasks.isEmpty ? tasks.removeAll() : nil)
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
            nextReport = now
            return nil
        }
        if nextReport.map({ now < $0 }) ?? (tasks.lastID == reportedID) { return nextReport }
        let latestBegin = now + (.zero - threshold)
        let unreported = tasks.records.filter { $0.id > reportedID || $0.began > reportedBegin }
        for task in unreported where task.began <= latestBegin {
            record(.stillRunning(NetworkTaskInfo(task, asOf: now)))
        }
        (reportedID, reportedBegin) = (tasks.lastID, max(reportedBegin, latestBegin))
        nextReport = unreported.lazy.map(\.began).filter { $0 > latestBegin }.min().map { $0 + threshold }
        return nextReport
    }
}

extension NetworkIndicatorManager {
    @MainActor
    func turn() {
        let turn = examineTasks()
        // While `examineTasks` releases tokens, events and waiters stay pending. If a token's `deinit` runs a nested
        // run loop, turns in that loop can therefore process the events and waiters.
        if turn.needsAction { tracker.change { $0.action() } }
        if turn.change != nil { notifyObserversOfVisibility() }
        if turn.needsDelivery { deliverVisibility() }
        if !turn.expiredWaiters.isEmpty {
            let tasks = activeTasks
            let isIdle = tracker.read(\.isIdle)
            let error = isIdle ? nil : NetworkBusyError(tasks: tasks)
            for waiter in turn.expiredWaiters { waiter.signal.send(throwing: error) }
        }
        withExtendedLifetime(turn.storage) {}
    }

    /// This method releases the examined tokens before it returns. Indicators and observers run later and may run
    /// nested run loops, during which this turn must not keep tokens alive.
    @MainActor
    private func examineTasks() -> Turn {
        let start = tracker.now
        var (examination, result) = tracker.state.withLock { $0.beginTurn(at: start) }
        while true {
            if let turn = result {
                // A token's `deinit` may run later turns in a nested run loop, so this turn applies its results before
                // it releases the last batch.
                if let change = turn.change { for stream in change.streams { stream.yield(change.isVisible) } }
                setTimers(turn.timers)
                withExtendedLifetime(examination) {}
                return turn
            }
            ask(&examination)
            let now = tracker.now
            result = tracker.state.withLock { $0.endTurn(&examination, at: now) }
            if result != nil { continue }
            withExtendedLifetime(examination.takeObjects()) {}
            tracker.state.withLock { $0.load(&examination) }
        }
    }

    @MainActor
    func ask(_ examination: inout Examination) {
        let asksConditions = !isAskingConditions
        isAskingConditions = true
        examination.ask(asksConditions: asksConditions)
        isAskingConditions = !asksConditions
    }

    @MainActor
    private func deliverVisibility() {
        var next = tracker.change { $0.nextDelivery(after: nil) }
        while let (delivery, isLast) = next {
            let (observer, value) = (delivery.observer, delivery.value)
            if let value { observer.indicator.setVisible(value) }
            if !observer.isAttached {
                observer.indicator.didDetach()
            } else if (observer.indicator as? any ExpiringIndicator)?.isExpired == true {
                observer.attachment.detach()
            }
            next = value == true && isLast ? nil : tracker.change { $0.nextDelivery(after: delivery) }
        }
    }

    @MainActor
    private func setTimers(_ new: [Turn.Timer]) {
        for (timer, scheduled) in timers where !new.contains(timer) {
            scheduled.cancel()
            timers[timer] = nil
        }
        for timer in new where timers[timer] == nil {
            let (first, interval): (Timestamp, Duration?) =
                switch timer {
                case .once(let deadline): (deadline, nil)
                case .repeating(let interval): (tracker.now + interval, interval)
                }
            timers[timer] = tracker.scheduler.schedule(at: first.instant, repeatingEvery: interval) { [weak self] in
                if interval == nil { self?.timers[timer] = nil }
                self?.turn()
            }
        }
    }
}
