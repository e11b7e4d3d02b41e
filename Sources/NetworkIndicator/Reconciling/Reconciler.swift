/// Updates the visibility, its observers and the timers to match the tracker. It owns the state machine of the
/// visibility.
///
/// A reconcile is level-triggered: it reads the current state and acts on it, so an additional one is harmless. A
/// change after its start requests another one.
@MainActor
final class Reconciler {
    private let tracker: TaskTracker
    private var machine = VisibilityStateMachine()
    private var deadlineTimer: (timer: any ActivityTimer, deadline: SuspendingClock.Instant)?
    private var pollTimer: (timer: any ActivityTimer, interval: Duration)?
    /// When the state machine needs its next step.
    private var visibilityDeadline: SuspendingClock.Instant?
    /// Whether an observer has not received the current visibility.
    private var needsPublishing = false
    /// A scan of all tasks for monitors. It advances by one slice a turn.
    private var scan: TaskScan?

    nonisolated init(tracker: TaskTracker) { self.tracker = tracker }

    /// - Parameters:
    ///   - manager: The manager whose observable property changes.
    ///   - isPoll: Whether the poll timer fired.
    func reconcile(_ manager: NetworkIndicatorManager, isPoll: Bool = false) {
        let (snapshot, actions, storage) = stepMachine()
        setDeadlineTimer([visibilityDeadline, snapshot.nextWaitDeadline].compactMap(\.self).min(), manager)
        let startsPolling = setPollTimer(snapshot.pollInterval, manager)
        tracker.perform(actions)
        if snapshot.isMonitored, isPoll || startsPolling { scan = scan ?? TaskScan() }
        advanceScan()
        if needsPublishing { publish(manager) }
        if let deadline = snapshot.nextWaitDeadline, deadline <= snapshot.now.instant {
            expireWaiters(at: snapshot.now)
        }
        withExtendedLifetime(storage) {}
    }

    /// Sweeps, and decides whether the indicator is on. Releases the loaded tokens before it returns: later, foreign
    /// code may run a nested run loop, in which these tokens must not be alive.
    private func stepMachine() -> (Snapshot, TaskTracker.DeferredActions, storage: TaskRegistry?) {
        tracker.state.withLock { $0.isReconcileRequested = false }
        // The sweep removes ended tasks, so that they don't turn the indicator on.
        let (result, examined) = tracker.sweep()
        let now = tracker.now
        return withExtendedLifetime(examined) {
            tracker.state.withLock { state in
                let snapshot = state.takeSnapshot(at: now)
                if result != .unfinished || snapshot.isCertain {
                    visibilityDeadline = machine.step(snapshot.input, at: now.instant, snapshot.configuration)
                }
                state.observers.expect(machine.isVisible)
                needsPublishing = !state.observers.isUpToDate
                let actions = state.takeDeferredActions(requestsReconcile: result == .unfinished)
                return (snapshot, actions, state.takeIdleStorage())
            }
        }
    }

    /// Cancels the timers, for a manager that is deallocated.
    func stop() {
        deadlineTimer?.timer.cancel()
        pollTimer?.timer.cancel()
    }

    // MARK: Publishing

    private func publish(_ manager: NetworkIndicatorManager) {
        // The loop compares again, because an observer may run a nested reconcile.
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
        // This examines every task. If it finds the manager idle, the calls return, and none is left to expire.
        let error = NetworkBusyError(tasks: tracker.allTasks())
        let expired = tracker.state.withLock { $0.waiters.takeExpired(at: now) }
        for waiter in expired { waiter.finish(throwing: error) }
    }

    /// Examines the next slice of a scan, so that monitors receive every end and long-running tasks.
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
