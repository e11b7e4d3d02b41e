import Observation

extension NetworkIndicatorManager {
    @MainActor
    func turn() {
        let turn = examineTasks()
        // While `examineTasks` releases tokens, events and waiters stay pending. If a token's `deinit` runs a nested
        // run loop, turns in that loop can therefore process the events and waiters.
        if turn.needsAction { tracker.change { $0.action(requestsTurn: $0.hasRemains && $0.events.isDelivered) } }
        // The mutation is empty, because `examineTasks` has already changed the value.
        if turn.change != nil { registrar.withMutation(of: self, keyPath: \.isIndicatorVisible) {} }
        if turn.needsDelivery { tracker.deliverVisibility() }
        if turn.hasExpiredWaiters { resumeExpiredWaiters() }
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
            (examination.batch, examination.remains) = ([], [])
            tracker.state.withLock { $0.load(&examination) }
        }
    }

    @MainActor
    func ask(_ examination: inout Examination) {
        guard !isAskingConditions, examination.asksConditions else { return }
        isAskingConditions = true
        for index in examination.batch.indices
        where examination.batch[index].handle.latestBegin <= examination.latestBegin {
            guard let condition = examination.batch[index].condition, let token = examination.batch[index].token
            else { continue }
            examination.batch[index].isLive = condition.isUnderWay(token)
        }
        isAskingConditions = false
    }

    @MainActor
    private func resumeExpiredWaiters() {
        let (tasks, now) = (activeTasks, tracker.now)
        let (isIdle, waiters) = tracker.change { state in ((state.isIdle, state.takeExpiredWaiters(at: now)), nil) }
        for waiter in waiters { waiter.signal.send(throwing: isIdle ? nil : NetworkBusyError(tasks: tasks)) }
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

extension ActivityTracker {
    @MainActor
    func deliverVisibility() {
        var previous: Observers.Delivery?
        while let delivery = change({ $0.nextDelivery(after: previous) }) {
            let observer = delivery.observer
            if let value = delivery.value { observer.indicator.setVisible(value) }
            if !observer.isAttached {
                observer.indicator.didDetach()
            } else if (observer.indicator as? any ExpiringIndicator)?.isExpired == true {
                observer.attachment.detach()
            }
            previous = delivery
        }
    }

    /// The last turn, after the manager has been deallocated.
    @MainActor
    func endTurns() {
        deliverVisibility()
        let (remains, wasVisible) = change { ($0.takeLastRemains(), nil) }
        for case let attachment as NetworkIndicatorManager.Attachment in remains {
            if wasVisible { attachment.yield(false) }
            attachment.end()
        }
    }
}
