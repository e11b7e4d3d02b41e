/// Brings the indicator, its observers and the timers in line with the tracker. It owns the visibility.
///
/// Level-triggered: a reconcile reads what is true now and acts on it, so an additional one is harmless. Whatever
/// changes after its start requests another one.
@MainActor
final class Reconciler {
    private let tracker: TaskTracker
    private var machine = VisibilityStateMachine()
    private var deadlineTimer: (timer: any ActivityTimer, deadline: SuspendingClock.Instant)?
    private var pollTimer: (timer: any ActivityTimer, interval: Duration)?
    /// When the state machine wants to be stepped again.
    private var visibilityDeadline: SuspendingClock.Instant?
    /// A scan of all tasks for monitors. It advances by one slice a turn.
    private var scan: TaskScan?

    nonisolated init(tracker: TaskTracker) { self.tracker = tracker }

    /// - Parameters:
    ///   - manager: The manager whose observable property changes.
    ///   - isPoll: Whether the poll timer fired.
    func reconcile(_ manager: NetworkIndicatorManager, isPoll: Bool = false) {
        tracker.state.withLock { $0.isReconcileRequested = false }
        // Nothing is shown for tasks that are over.
        let (result, examined) = tracker.sweep()
        let now = tracker.scheduler.now
        let (snapshot, actions, storage) = tracker.state.withLock { state in
            let snapshot = state.takeSnapshot(at: Timestamp(now))
            let actions = state.takeDeferredActions(requestsReconcile: result == .unfinished)
            return (snapshot, actions, state.takeIdleStorage())
        }
        if result != .unfinished || snapshot.isCertain {
            visibilityDeadline = machine.step(snapshot.input, at: now, snapshot.configuration)
        }
        setDeadlineTimer([visibilityDeadline, snapshot.nextWaitDeadline].compactMap(\.self).min(), manager)
        let startsPolling = setPollTimer(snapshot.pollInterval, manager)
        if snapshot.isMonitored, isPoll || startsPolling { scan = scan ?? TaskScan() }
        advanceScan()
        tracker.perform(actions)
        if machine.isVisible != snapshot.isVisible || !snapshot.areObserversUpToDate { publish(manager) }
        if let deadline = snapshot.nextWaitDeadline, deadline <= now { expireWaiters(at: Timestamp(now)) }
        withExtendedLifetime((examined, storage)) {}
    }

    /// Cancels the timers, for a manager that is deallocated.
    func stop() {
        deadlineTimer?.timer.cancel()
        pollTimer?.timer.cancel()
    }

    // MARK: Publishing

    private func publish(_ manager: NetworkIndicatorManager) {
        // Compared each time: an observer may run a nested reconcile.
        while tracker.state.withLock({ $0.observers.isVisible }) != machine.isVisible {
            manager.withVisibilityMutation {
                tracker.state.withLock { $0.publish(isVisible: machine.isVisible) }
            }
        }
        tracker.perform(tracker.state.withLock { $0.takeDeferredActions() })
        while let (indicator, isVisible) = tracker.state.withLock({ $0.observers.takeDelivery() }) {
            indicator.setVisible(isVisible)
        }
        tracker.perform(tracker.state.withLock { $0.takeDeferredActions() })
    }

    private func expireWaiters(at now: Timestamp) {
        let expired = tracker.state.withLock { $0.waiters.takeExpired(at: now) }
        let error = NetworkBusyError(tasks: tracker.allTasks())
        for waiter in expired { waiter.finish(throwing: error) }
    }

    /// Examines the next slice of a scan, so that monitors learn of every end and of long-running tasks.
    private func advanceScan() {
        guard var next = scan else { return }
        _ = tracker.advance(&next)
        scan = next.isComplete ? nil : next
        if scan != nil { tracker.requestReconcile() }
    }

    // MARK: Timers

    private func setDeadlineTimer(_ deadline: SuspendingClock.Instant?, _ manager: NetworkIndicatorManager) {
        guard deadlineTimer?.deadline != deadline else { return }
        deadlineTimer?.timer.cancel()
        deadlineTimer = deadline.map { deadline in
            let timer = tracker.scheduler.schedule(at: deadline, repeatingEvery: nil) { [weak manager, weak self] in
                self?.deadlineTimer = nil
                manager?.reconcile()
            }
            return (timer, deadline)
        }
    }

    /// - Returns: Whether a timer was started.
    private func setPollTimer(_ interval: Duration?, _ manager: NetworkIndicatorManager) -> Bool {
        guard pollTimer?.interval != interval else { return false }
        pollTimer?.timer.cancel()
        pollTimer = interval.map { interval in
            let first = tracker.scheduler.now.advanced(by: interval)
            let timer = tracker.scheduler.schedule(at: first, repeatingEvery: interval) { [weak manager] in
                manager?.reconcile(isPoll: true)
            }
            return (timer, interval)
        }
        return interval != nil
    }
}
