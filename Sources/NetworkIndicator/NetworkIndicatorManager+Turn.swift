extension NetworkIndicatorManager {
    /// Runs a turn: loads a slice of tasks, asks their conditions, commits the result, and acts on it.
    ///
    /// A turn is level-triggered: an additional turn has no effect, and a change after its commit requests another one.
    @MainActor
    func turn() {
        let turn = examineTasks()
        if turn.isVisibilityChanged { notifyObserversOfVisibility() }
        if let action = turn.action { tracker.perform(action) }
        while !deliveries.isEmpty {
            let delivery = deliveries.removeFirst()
            delivery.indicator.setVisible(delivery.lastDelivered)
            if let next = tracker.change({ $0.endDelivery() }) { deliveries.append(next) }
        }
        for waiter in turn.expiredWaiters { waiter.resume(throwing: NetworkBusyError(tasks: [])) }
        withExtendedLifetime(turn.storage) {}
    }

    /// Examines a slice of tasks, and releases its tokens before it returns. Later, foreign code may run a nested run
    /// loop, in which these tokens must not be alive.
    @MainActor
    private func examineTasks() -> Turn {
        var slice = tracker.change { ($0.beginTurn(), nil) }
        slice.examine()
        let now = tracker.now
        let turn = tracker.change { ($0.endTurn(&slice, at: now), nil) }
        // The `deinit` of a token may run a nested run loop too. The turns in it continue with these.
        setTimers(turn.timers)
        if let indicator = turn.delivery { deliveries.append(indicator) }
        withExtendedLifetime(slice) {}
        return turn
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
