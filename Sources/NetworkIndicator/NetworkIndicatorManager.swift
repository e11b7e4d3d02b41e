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
/// Beginning or finishing a task is thread-safe and never waits for the main thread. While the app is busy, it takes
/// constant time and one lock. Indicators change on the main actor, which alone may read ``activeTasks``,
/// ``activeTaskCount`` and ``hasActiveTasks``.
public final class NetworkIndicatorManager: Sendable, Observable {
    /// The manager that all code of a program can share.
    public static let shared = NetworkIndicatorManager()

    let tracker: ActivityTracker
    private let registrar = ObservationRegistrar()
    /// The timers that the latest turn needs.
    @MainActor var timers: [Turn.Timer: any ActivityTimer] = [:]
    /// The indicators to notify, in order. A monitor may run a nested run loop before the first indicator is notified.
    /// The turns in that run loop continue with this list.
    @MainActor var deliveries: [Delivery] = []
    /// Whether a condition may be running. Queries and nested turns don't ask conditions then, because that would
    /// recurse without end.
    @MainActor var isAskingConditions = false

    /// Creates a manager with its own tasks and indicators.
    ///
    /// Keep the manager for as long as your tasks last. When it is deallocated, its indicators go off.
    ///
    /// - Parameter configuration: When the indicator goes on and off.
    public convenience init(configuration: Configuration = .standard) {
        self.init(configuration: configuration, scheduler: MainScheduler())
    }

    /// Creates a manager with a scheduler for tests, which provides the time and runs main-actor work.
    ///
    /// - Parameters:
    ///   - configuration: When the indicator goes on and off.
    ///   - scheduler: For example the `ManualScheduler` of NetworkIndicatorTestKit.
    public init(configuration: Configuration, scheduler: any ActivityScheduler) {
        tracker = ActivityTracker(configuration: configuration, scheduler: scheduler)
        let turn: MainWork = { [weak self] in self?.turn() }
        tracker.change { state in
            state.turn = turn
            return nil
        }
    }

    deinit {
        let remains = tracker.change { $0.end() }
        let observers = remains.observers
        for case .notifications(let stop) in observers.trackings.map(\.content) { stop() }
        let wasVisible = tracker.read(\.visibility.isVisible)
        for case .stream(let continuation) in observers.streams.map(\.content) {
            if wasVisible { continuation.yield(false) }
            continuation.finish()
        }
        tracker.scheduler.performOnMain { [timers] in
            for timer in timers.values { timer.cancel() }
            for observer in observers.indicators where observer.lastDelivered == true {
                observer.indicator.setVisible(false)
            }
        }
        #if DEBUG
        if !observers.indicators.isEmpty, !remains.tasks.isEmpty, tracker.scheduler is MainScheduler {
            TextMonitor.writeToStandardError(
                "a NetworkIndicatorManager with an indicator was released during its tasks: keep a reference to it")
        }
        #endif
        withExtendedLifetime(remains) {}
    }

    /// Forgets every task of every kind. Any thread.
    ///
    /// Finishing or releasing the token of a forgotten task has no effect.
    ///
    /// - Complexity: O(*n*) under the manager's lock if a monitor is attached, where *n* is the number of tasks.
    public func reset() {
        for source in tracker.read(\.sources) { source.forgetTasks() }
        let released = tracker.change { $0.reset() }
        withExtendedLifetime(released) {}
    }

    // MARK: Observation

    /// Whether the indicator is on. Any thread.
    ///
    /// Observable: observe it on the main actor. Elsewhere use ``visibilityUpdates``. Observation loses updates if a value
    /// changes on one thread while another sets up its tracking.
    public var isIndicatorVisible: Bool {
        registrar.access(self, keyPath: \.isIndicatorVisible)
        return tracker.read { $0.visibility.isVisible }
    }

    /// Notifies observers of ``isIndicatorVisible``, whose value has changed.
    @MainActor
    func notifyObserversOfVisibility() { registrar.withMutation(of: self, keyPath: \.isIndicatorVisible) {} }

    /// Whether the indicator may be shown. Default `true`. Observable. Any thread.
    ///
    /// `false` hides the indicator on the main thread's next turn; tasks remain tracked. `true` shows it on the next
    /// turn if the network has been in use for ``Configuration/showDelay``.
    public var isEnabled: Bool {
        get {
            registrar.access(self, keyPath: \.isEnabled)
            return tracker.read(\.isEnabled)
        }
        set {
            registrar.withMutation(of: self, keyPath: \.isEnabled) {
                tracker.change { $0.enable(newValue) }
            }
        }
    }
}
