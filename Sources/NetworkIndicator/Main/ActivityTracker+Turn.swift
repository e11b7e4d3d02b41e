import Observation

/// What the main actor does: turns and queries.
@MainActor
extension ActivityTracker {
    func turn() {
        let turn = examineTasks()
        // While `examineTasks` releases tokens, events and waiters stay pending. If a token's `deinit` runs a nested
        // run loop, turns in that loop can therefore process the events and waiters.
        if turn.needsAction { change { $0.action(requestsTurn: $0.asksSources) } }
        // The mutation is empty, because `examineTasks` has already changed the value.
        if turn.change != nil { registrar.withMutation(of: self, keyPath: \.isVisible) {} }
        if turn.change?.isVisible == true, !Self.observed.withLock(\.isEmpty), noteObserver() {
            warn("tasks run on a NetworkIndicatorManager that nothing observes: pass the observed one as `manager`")
        }
        if turn.needsDelivery { deliverVisibility() }
        if turn.hasExpiredWaiters { resumeExpiredWaiters() }
    }

    /// This method releases the examined tokens before it returns. Indicators and observers run later and may run
    /// nested run loops, during which this turn must not keep tokens alive.
    private func examineTasks() -> Turn {
        var examination = state.withLock { $0.beginTurn() }
        for source in examination.sources { source.beginTasks() }
        while true {
            ask(&examination)
            if let turn = state.withLock({ $0.endTurn(&examination) }) {
                // A token's `deinit` may run later turns in a nested run loop, so this turn applies its results before
                // it releases the last batch.
                if let (isVisible, streams) = turn.change {
                    for case .stream(let stream) in streams.map(\.content) { stream.yield(isVisible) }
                }
                setTimers(turn.timers)
                withExtendedLifetime(examination) {}
                return turn
            }
            examination.releaseBatch()
            state.withLock { $0.load(&examination) }
        }
    }

    private func ask(_ examination: inout Examination) {
        guard !isAskingConditions else { return }
        isAskingConditions = true
        for index in examination.batch.indices
        where examination.batch[index].handle.latestBegin <= examination.latestBegin {
            guard let condition = examination.batch[index].condition, let token = examination.batch[index].token
            else { continue }
            examination.batch[index].isFinished = !condition(token)
        }
        isAskingConditions = false
    }

    private func deliverVisibility() {
        var previous: Observers.Delivery?
        while let delivery = change({ $0.nextDelivery(after: previous) }) {
            let observer = delivery.observer
            if let value = delivery.value { observer.indicator.setVisible(value) }
            if !observer.isAttached {
                // The indicator may have been attached again while it turned off.
                let isBack = read { $0.observers.indicators.contains { $0.indicator === observer.indicator } }
                if !isBack { observer.indicator.didDetach() }
            } else if (observer.indicator as? any ExpiringIndicator)?.isExpired == true {
                observer.attachment.detach()
            }
            previous = delivery
        }
    }

    private func resumeExpiredWaiters() {
        let tasks = activeTasks
        let (isIdle, waiters) = change { state in ((state.isIdle, state.takeExpiredWaiters()), nil) }
        for waiter in waiters { waiter.signal.send(throwing: isIdle ? nil : NetworkBusyError(tasks: tasks)) }
    }

    private func setTimers(_ new: [Turn.Timer]) {
        for (timer, scheduled) in timers where !new.contains(timer) {
            scheduled.cancel()
            timers[timer] = nil
        }
        for timer in new where timers[timer] == nil {
            let (first, interval): (Timestamp, Duration?) =
                switch timer {
                case .once(let deadline): (deadline, nil)
                case .repeating(let interval): (now + interval, interval)
                }
            timers[timer] = scheduler.schedule(at: first.instant, repeatingEvery: interval) {
                if interval == nil { self.timers[timer] = nil }
                self.turn()
            }
        }
    }

    // MARK: Queries

    var activeTasks: [NetworkTaskInfo] {
        let records = liveRecords()
        let now = now
        return records.map { NetworkTaskInfo(record: $0, asOf: now) }.sorted { $0.id < $1.id }
    }

    func liveRecords() -> [TaskRecord] {
        for source in read(\.sources) { source.beginTasks() }
        var query = state.withLock { $0.beginQuery() }
        ask(&query)
        let records = read { $0.endQuery(query) }
        withExtendedLifetime(query) {}
        return records
    }
}
