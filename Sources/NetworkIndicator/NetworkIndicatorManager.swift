public import Observation

/// Tracks network tasks, and shows indicators while at least one task is under way.
///
/// Pass it the objects that do your networking. The manager holds them weakly, and turns the indicators off when the last
/// one is deallocated. You can finish a task explicitly, but you don't have to.
///
/// ```swift
/// let manager = NetworkIndicatorManager.shared
/// // Ends when the operation is deallocated:
/// manager.beganNetworkTask(withToken: operation)
/// // Ends when the token is released, or explicitly:
/// let token = manager.beganNetworkTask()
/// manager.finishedNetworkTask(forToken: token)
/// ```
///
/// Every call is thread-safe and never waits for the main thread. Indicators change on the main actor. While the app is
/// busy, beginning or finishing a task takes constant time and one lock.
public final class NetworkIndicatorManager: Sendable, Observable {
    /// The manager that all code of a program can share.
    public static let shared = NetworkIndicatorManager()

    let tracker: TaskTracker
    let registrar = ObservationRegistrar()
    private let reconciler: Reconciler

    /// Makes a manager with its own tasks and indicators.
    ///
    /// - Parameter configuration: When the indicator goes on and off.
    public convenience init(configuration: Configuration = .standard) {
        self.init(configuration: configuration, scheduler: MainScheduler())
    }

    /// Makes a manager with a scheduler for tests, which provides the time and runs main-actor work.
    ///
    /// - Parameters:
    ///   - configuration: When the indicator goes on and off.
    ///   - scheduler: For example the `ManualScheduler` of NetworkIndicatorTestKit.
    public init(configuration: Configuration, scheduler: any ActivityScheduler) {
        tracker = TaskTracker(configuration: configuration, scheduler: scheduler)
        reconciler = Reconciler(tracker: tracker)
        let reconcile: TaskTracker.MainWork = { [weak self] in self?.reconcile() }
        tracker.state.withLock { $0.reconcile = reconcile }
    }

    deinit {
        let (reconcile, actions, observers, monitors) = tracker.state.withLock { state in
            state.publish(isVisible: false)
            let actions = state.takeDeferredActions()
            defer { state.reconcile = nil }
            return (state.reconcile, actions, state.observers.detachAll(), state.events.detachAll())
        }
        withExtendedLifetime((reconcile, monitors)) { tracker.perform(actions) }
        for (attachment, lastDelivered) in observers {
            (attachment.indicator as? StreamIndicator)?.finish(lastDelivered: lastDelivered)
        }
        tracker.scheduler.performOnMain { [reconciler] in
            reconciler.stop()
            for case (let attachment, true) in observers { attachment.indicator.setVisible(false) }
        }
    }

    @MainActor
    func reconcile(isPoll: Bool = false) { reconciler.reconcile(self, isPoll: isPoll) }

    /// Forgets every task of every kind. Any thread.
    ///
    /// Finishing or releasing the token of a forgotten task has no effect.
    public func reset() { tracker.reset() }
}
