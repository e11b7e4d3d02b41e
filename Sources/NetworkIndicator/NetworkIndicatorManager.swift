public import Observation

/// Tracks network tasks, and shows network activity with indicators.
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
/// The manager is thread-safe, except the queries ``activeTasks`` and ``activeTaskCount``, which are isolated to the
/// main actor. A call that begins or finishes a task doesn't wait until the main thread is free, and takes amortized
/// constant time unless a monitor is attached. Indicators change on the main actor.
///
/// The parameters `label`, `fileID` and `line` describe a task in diagnostics: in the events of monitors, in
/// ``NetworkTaskInfo`` and in errors. The defaults of `fileID` and `line` are those of the call.
public final class NetworkIndicatorManager: Sendable, Observable {
    /// The shared manager.
    public static let shared = NetworkIndicatorManager()

    package let tracker: ActivityTracker

    /// Creates a manager with its own tasks and indicators.
    ///
    /// Keep a reference to the manager for as long as your tasks last. When the manager is deallocated, its indicators
    /// turn off, and the main actor releases them. Use few managers, because each one has timers of its own.
    ///
    /// - Parameter configuration: The manager's initial settings.
    public convenience init(configuration: Configuration = .standard) {
        self.init(configuration: configuration, scheduler: MainScheduler())
    }

    /// Creates a manager that uses a custom scheduler, for example in tests.
    ///
    /// - Parameters:
    ///   - configuration: The manager's initial settings.
    ///   - scheduler: A scheduler, such as the `ManualScheduler` of NetworkIndicatorTestKit.
    public init(configuration: Configuration = .standard, scheduler: any ActivityScheduler) {
        tracker = ActivityTracker(configuration: configuration, scheduler: scheduler)
    }

    deinit {
        if tracker.read({ !$0.observers.indicators.isEmpty && !$0.tasks.isEmpty }) {
            tracker.warn("a NetworkIndicatorManager was released during its tasks: keep a reference to it")
        }
        tracker.change { $0.end() }
        // The turn turns the indicators off. Streams receive `false` before they end.
        tracker.scheduler.performOnMain { [tracker] in
            tracker.turn()
            for attachment in tracker.read(\.observers.attachments) { attachment.detach() }
            _ = ActivityTracker.observed.withLock { $0.remove(ObjectIdentifier(tracker)) }
        }
    }

    /// Stops tracking all tasks.
    ///
    /// Afterwards, finishing or releasing an earlier task's token has no effect, except that
    /// ``finishedNetworkTask(forToken:fileID:line:)`` reports misuse to monitors.
    ///
    /// - Complexity: O(*n*), where *n* is the number of tasks.
    public func reset() {
        for source in tracker.read(\.sources) { source.forgetTasks() }
        tracker.change { $0.reset() }
    }

    // MARK: Observation

    /// Whether the indicator is on.
    ///
    /// You can observe this property on the main actor. On other threads, observation can miss changes, so use
    /// ``visibilityUpdates`` there.
    public var isIndicatorVisible: Bool {
        tracker.noteObserver()
        tracker.registrar.access(tracker, keyPath: \.isVisible)
        return tracker.isVisible
    }

    /// Whether the indicator may be shown. The default is `true`. This property is observable.
    ///
    /// If you set this property to `false`, the indicator turns off asynchronously, and tasks remain tracked. If you
    /// set this property to `true` while a task is under way, the indicator turns on as soon as the busy time has
    /// reached ``Configuration/showDelay``.
    public var isEnabled: Bool {
        get {
            tracker.registrar.access(self, keyPath: \.isEnabled)
            return tracker.read(\.isEnabled)
        }
        set {
            tracker.registrar.withMutation(of: self, keyPath: \.isEnabled) {
                tracker.change { $0.enable(newValue) }
            }
        }
    }
}
