import Dispatch

extension TaskTracker {
    struct State {
        var registry = TaskRegistry()
        var busyPeriod: BusyPeriod
        var events = EventQueue()
        var observers = VisibilityObservers()
        var waiters = Waiters()
        var configuration: NetworkIndicatorManager.Configuration
        var isEnabled = true
        /// The interval of the poll timer; `nil` while there is none.
        var polledInterval: Duration?
        /// Whether a reconcile is requested and has not begun.
        var isReconcileRequested = false
        /// The work of a reconcile; `nil` after the manager is deallocated.
        var reconcile: MainWork?

        init(busyPeriod: BusyPeriod, configuration: NetworkIndicatorManager.Configuration) {
            self.busyPeriod = busyPeriod
            self.configuration = configuration
        }

        /// While a caller waits for the manager to be idle, the manager polls at least this often.
        private static let pollIntervalForWaiters: Duration = .milliseconds(100)
        /// The maximum delay of the event for a long-running explicit task.
        private static let pollIntervalForReports: Duration = .seconds(1)

        /// How often to poll; `nil` if no task needs it.
        var pollInterval: Duration? {
            let interval = configuration.completionCheckInterval
            let reportsLongRunning =
                events.isMonitored && !registry.explicitTasks.isEmpty && configuration.longRunningTaskThreshold != nil
            if registry.weakCount > 0, !waiters.isEmpty { return min(interval, Self.pollIntervalForWaiters) }
            if reportsLongRunning { return min(interval, Self.pollIntervalForReports) }
            return registry.weakCount > 0 ? interval : nil
        }

        /// Whether the last change needs an update: an edge between idle and busy, a poll timer, or a delivery of
        /// events.
        var needsUpdate: Bool { registry.isBusy != busyPeriod.isBusy || needsTimer || events.needsDelivery }

        /// Whether the poll timer is missing, or too slow.
        private var needsTimer: Bool {
            guard !isReconcileRequested, let pollInterval else { return false }
            return polledInterval.map { pollInterval < $0 } ?? true
        }

        /// Records an edge between idle and busy.
        ///
        /// - Returns: Whether there was one.
        @discardableResult
        mutating func updateBusyState(at now: Timestamp) -> Bool {
            guard registry.isBusy != busyPeriod.isBusy else { return false }
            busyPeriod.change(toBusy: registry.isBusy, at: now, hideDelay: configuration.hideDelay)
            return true
        }

        mutating func takeDeferredActions(requestsReconcile: Bool = false) -> DeferredActions {
            DeferredActions(
                reconcile: requestsReconcile || needsTimer ? requestReconcile() : nil,
                readyWaiters: takeReadyWaiters(), deliversEvents: events.needsDelivery)
        }

        /// Requests a reconcile. The first request returns the work for the main actor; later ones merge with it.
        mutating func requestReconcile() -> MainWork? {
            guard !isReconcileRequested, let reconcile else { return nil }
            isReconcileRequested = true
            return reconcile
        }

        /// Returns the waiters if the manager is idle, the indicator is off, and monitors have received every event.
        mutating func takeReadyWaiters() -> [Waiters.Continuation] {
            let isIdle = !registry.isBusy && !observers.isVisible && observers.isUpToDate && events.isDelivered
            return isIdle ? waiters.takeAll() : []
        }
    }

    /// The actions that a change under the lock defers until after unlocking.
    struct DeferredActions {
        let reconcile: MainWork?
        let readyWaiters: [Waiters.Continuation]
        let deliversEvents: Bool
    }

    // MARK: After unlocking

    /// Records an edge between idle and busy, and performs the actions that an earlier change under the lock deferred.
    func update() {
        let now = self.now
        perform(
            state.withLock { state in
                let isEdge = state.updateBusyState(at: now)
                return state.takeDeferredActions(requestsReconcile: isEdge)
            })
    }

    func perform(_ actions: DeferredActions) {
        if let reconcile = actions.reconcile { scheduler.performOnMain(reconcile) }
        if actions.deliversEvents { deliverEvents() }
        for waiter in actions.readyWaiters { waiter.finish() }
    }

    func requestReconcile() {
        if let reconcile = state.withLock({ $0.requestReconcile() }) { scheduler.performOnMain(reconcile) }
    }

    // MARK: Events

    /// Maximum number of later events delivered inline.
    private static let inlineDeliveryLimit = 256

    /// Delivers pending events to the monitors, unless another thread is delivering.
    ///
    /// Any call may deliver events of other threads, even on the main thread. If events are added faster than monitors
    /// receive them, a background thread continues the same delivery, which keeps the order.
    private func deliverEvents() {
        guard state.withLock({ $0.events.beginDelivery() }) else { return }
        deliverPending()
        var budget = Self.inlineDeliveryLimit
        while budget > 0 {
            let count = deliverPending(atMost: budget)
            if count == 0 { return }
            budget -= count
        }
        DispatchQueue.global().async { while self.deliverPending() > 0 {} }
    }

    /// - Returns: The number of deliveries. Zero means that the delivery is over.
    @discardableResult
    private func deliverPending(atMost limit: Int = .max) -> Int {
        let (deliveries, waiters) = state.withLock { ($0.events.takePending(atMost: limit), $0.takeReadyWaiters()) }
        for delivery in deliveries { delivery.deliver() }
        for waiter in waiters { waiter.finish() }
        return deliveries.count
    }
}
