/// Runs a manager's turns on the main actor, and owns its timers.
///
/// A turn loads a slice of tasks, asks their conditions, commits the result, and acts on it. It is level-triggered: an
/// additional turn has no effect, and a change after its start requests another one.
@MainActor
final class MainDriver {
    private let tracker: ActivityTracker
    private var deadlineTimer: (timer: any ActivityTimer, deadline: Timestamp)?
    private var pollTimer: (timer: any ActivityTimer, interval: Duration)?
    /// The indicators to notify, in order. A monitor may run a nested run loop before the first is notified; the turns
    /// in it continue with this list.
    private var deliveries: [Observers.Indicator] = []

    nonisolated init(tracker: ActivityTracker) { self.tracker = tracker }

    /// - Parameter manager: The manager whose observable property changes.
    func turn(_ manager: NetworkIndicatorManager) {
        let turn = examineTasks()
        setDeadlineTimer(turn.deadline, manager)
        setPollTimer(turn.pollInterval, manager)
        deliveries += [turn.delivery].compactMap(\.self)
        if turn.isVisibilityChanged { manager.notifyObserversOfVisibility() }
        tracker.perform(turn.action)
        while !deliveries.isEmpty {
            let indicator = deliveries.removeFirst()
            indicator.indicator.setVisible(indicator.lastDelivered)
            deliveries += [tracker.change { $0.endDelivery() }].compactMap(\.self)
        }
        for waiter in turn.expiredWaiters { waiter.finish(throwing: WaitTimeout()) }
        withExtendedLifetime(turn.storage) {}
    }

    /// Releases the loaded tokens before it returns: later, foreign code may run a nested run loop, in which these tokens
    /// must not be alive.
    private func examineTasks() -> Turn {
        var (goal, slice) = tracker.change { ($0.beginTurn(), nil) }
        slice.examine(for: goal)
        let now = tracker.now
        return tracker.change { ($0.endTurn(&slice, at: now), nil) }
    }

    /// Cancels the timers, for a manager that is deallocated.
    func stop() {
        deadlineTimer?.timer.cancel()
        pollTimer?.timer.cancel()
    }

    private func setDeadlineTimer(_ deadline: Timestamp?, _ manager: NetworkIndicatorManager) {
        guard deadlineTimer?.deadline != deadline else { return }
        deadlineTimer?.timer.cancel()
        deadlineTimer = deadline.map { deadline in
            let timer = tracker.scheduler.schedule(at: deadline.instant, repeatingEvery: nil) {
                [weak manager, weak self] in
                self?.deadlineTimer = nil
                manager?.turn()
            }
            return (timer, deadline)
        }
    }

    private func setPollTimer(_ interval: Duration?, _ manager: NetworkIndicatorManager) {
        guard pollTimer?.interval != interval else { return }
        pollTimer?.timer.cancel()
        pollTimer = interval.map { interval in
            let first = tracker.scheduler.now.advanced(by: interval)
            let timer = tracker.scheduler.schedule(at: first, repeatingEvery: interval) { [weak manager] in
                manager?.turn()
            }
            return (timer, interval)
        }
    }
}
