public import Observation

/// Tracks network tasks, and shows indicators while at least one task is under way.
///
/// Pass the manager the objects that do your networking. The manager holds these objects weakly, and turns the
/// indicators off after the last object is deallocated. You can also finish a task explicitly.
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
/// You can begin and finish tasks on any thread. These calls never wait for the main thread. Unless a monitor is
/// attached, they take constant time. Indicators change on the main actor. You can read ``activeTasks``,
/// ``activeTaskCount`` and ``hasActiveTasks`` on the main actor only.
public final class NetworkIndicatorManager: Sendable, Observable {
    /// A manager that all code in a program can share.
    public static let shared = NetworkIndicatorManager()

    let tracker: ActivityTracker
    private let registrar = ObservationRegistrar()
    @MainActor var timers: [Turn.Timer: any ActivityTimer] = [:]
    /// The indicators to notify, in order. A monitor may run a nested run loop before the first indicator is notified.
    /// Turns in that run loop continue with this list.
    @MainActor var deliveries: [Delivery] = []
    /// Whether a condition may be running. In that case, queries and nested turns don't evaluate conditions, to prevent
    /// infinite recursion.
    @MainActor var isAskingConditions = false

    /// Creates a manager with its own tasks and indicators.
    ///
    /// Keep a reference to the manager for as long as your tasks last. When the manager is deallocated, its indicators
    /// turn off.
    ///
    /// - Parameter configuration: The settings that determine when the indicator turns on and off.
    public convenience init(configuration: Configuration = .standard) {
        self.init(configuration: configuration, scheduler: MainScheduler())
    }

    /// Creates a manager whose scheduler provides the clock, the timers and the main-actor calls. Use this initializer
    /// in tests.
    ///
    /// - Parameters:
    ///   - configuration: The settings that determine when the indicator turns on and off.
    ///   - scheduler: The scheduler, such as the `ManualScheduler` of NetworkIndicatorTestKit.
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

    /// Forgets every task of every kind. This method is thread-safe.
    ///
    /// Finishing or releasing the token of a forgotten task has no effect. If you pass the token to
    /// ``finishedNetworkTask(forToken:fileID:line:)``, monitors receive a misuse event.
    ///
    /// - Complexity: O(*n*), where *n* is the number of tasks. If a monitor is attached, the manager holds its lock for
    ///   that time.
    public func reset() {
        for source in tracker.read(\.sources) { source.forgetTasks() }
        let released = tracker.change { $0.reset() }
        withExtendedLifetime(released) {}
    }

    // MARK: Observation

    /// Whether the indicator is on. This property is thread-safe.
    ///
    /// You can observe this property on the main actor. Elsewhere, use ``visibilityUpdates``. Observation loses updates
    /// if a value changes on one thread while another thread sets up the tracking.
    public var isIndicatorVisible: Bool {
        registrar.access(self, keyPath: \.isIndicatorVisible)
        return tracker.read { $0.visibility.isVisible }
    }

    /// Notifies observers of ``isIndicatorVisible``. Call this after the value has changed.
    @MainActor
    func notifyObserversOfVisibility() { registrar.withMutation(of: self, keyPath: \.isIndicatorVisible) {} }

    /// Whether the indicator may be shown. The default is `true`. This property is thread-safe and observable.
    ///
    /// If you set `false`, the indicator is hidden on the main thread's next turn, and tasks remain tracked. If you set
    /// `true`, the indicator is shown on the next turn if the network has been in use for ``Configuration/showDelay``.
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
