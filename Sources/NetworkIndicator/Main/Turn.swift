struct Turn {
    enum Timer: Hashable {
        case once(at: Timestamp)
        case repeating(every: Duration)
    }

    let change: Bool?
    let streams: [NetworkIndicatorManager.Attachment]
    let timers: [Timer]
    let expiredWaiters: [Waiter]
    let needsAction: Bool
    let needsDelivery: Bool
    let storage: TaskRegistry?
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
            for waiter in turn.expiredWaiters { waiter.resume(throwing: isIdle ? nil : NetworkBusyError(tasks: tasks)) }
        }
        withExtendedLifetime(turn.storage) {}
    }

    /// This method releases the examined tokens before it returns. Indicators and observers run later and may run
    /// nested run loops, during which this turn must not keep tokens alive.
    @MainActor
    private func examineTasks() -> Turn {
        var examination = tracker.change { ($0.beginTurn(), nil) }
        while true {
            ask(&examination)
            let now = tracker.now
            if let turn = tracker.change({ ($0.endTurn(&examination, at: now), nil) }) {
                // A token's `deinit` may run later turns in a nested run loop, so this turn applies its results before
                // it releases the last batch.
                if let isVisible = turn.change { for stream in turn.streams { stream.yield(isVisible) } }
                setTimers(turn.timers)
                withExtendedLifetime(examination) {}
                return turn
            }
            withExtendedLifetime(examination.takeBatch()) {}
            tracker.change { state in
                state.load(&examination)
                return nil
            }
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
        while let delivery = next {
            delivery.indicator.setVisible(delivery.value)
            if (delivery.indicator as? any ViewAdapter)?.isViewDeallocated == true { delivery.attachment.detach() }
            next = tracker.change { $0.nextDelivery(after: delivery) }
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
