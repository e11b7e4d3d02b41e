public import Observation

/// Knows which network tasks are under way, and switches indicators on and off accordingly.
///
/// Hand it the objects that do your networking; it holds them weakly, and when the last of them is gone the indicators
/// go off. Nobody has to say that a task has ended, though everybody may.
///
/// ```swift
/// let manager = NetworkIndicatorManager.shared
/// manager.beganNetworkTask(withToken: operation)      // ends by itself when the operation is gone
/// let token = manager.beganNetworkTask()              // ends when the token is released
/// manager.finishedNetworkTask(forToken: token)        // or when you say so
/// ```
///
/// All calls may be made from any thread, and none waits for the main thread. Indicators are told on the main actor.
/// While the app is busy already, the begin or the end of a task takes constant time and one lock.
public final class NetworkIndicatorManager: Sendable, Observable {
    /// The manager that a program shares unless it makes its own.
    public static let shared = NetworkIndicatorManager()

    let tracker: TaskTracker
    let registrar = ObservationRegistrar()
    let reconciliation = Reconciliation()

    /// Makes a manager of its own, with its own tasks and indicators.
    public convenience init(configuration: Configuration = .standard) {
        self.init(configuration: configuration, scheduler: MainScheduler())
    }

    /// Makes a manager whose time and way to the main actor are the scheduler's, for tests.
    ///
    /// - Parameters:
    ///   - configuration: When the indicator goes on and off.
    ///   - scheduler: For example NetworkIndicatorTestKit's `ManualScheduler`.
    public init(configuration: Configuration, scheduler: any ActivityScheduler) {
        tracker = TaskTracker(configuration: configuration, scheduler: scheduler)
        let reconcile: TaskTracker.Work = { [weak self] in self?.reconcileIfRequested() }
        tracker.state.withLock { $0.reconcile = reconcile }
    }

    deinit {
        let (reconcile, followUp, recipients, monitors) = tracker.state.withLock { state in
            defer { state.reconcile = nil }
            return (state.reconcile, state.show(false), state.outputs.detachAll(), state.events.detachAll())
        }
        withExtendedLifetime((reconcile, monitors)) { tracker.perform(followUp) }
        for case (.stream(let continuation), let told) in recipients {
            if told { continuation.yield(false) }
            continuation.finish()
        }
        tracker.scheduler.performOnMain { [reconciliation] in
            reconciliation.cancelTimers()
            for case (.indicator(let attachment), true) in recipients { attachment.indicator.setVisible(false) }
        }
    }

    // MARK: Tracking

    /// Begins a task that lasts as long as `token` lives, unless it is finished before.
    ///
    /// The manager holds the token weakly. Within ``Configuration/completionCheckInterval`` it notices that the last one is
    /// gone; ends of others it notices as it comes by them, or that soon if there is a monitor.
    ///
    /// Any object will do: an `Operation`, a `URLSessionTask`, a view controller. A boxed value (`x as AnyObject`) will
    /// not: it is gone at once. An object that never goes away (a class of the runtime, a constant string) keeps the
    /// indicator on until it is finished. On Apple's platforms an Objective-C object must not begin a task from its own
    /// `deinit`, since the runtime forms no weak references then.
    ///
    /// Beginning a live token again changes nothing; a finished one can begin again. Any thread; constant time.
    ///
    /// - Parameters:
    ///   - token: The object whose life is the task's. It may be a token of several managers.
    ///   - label: A name for diagnostics.
    ///   - fileID: Where the task begins, for diagnostics.
    ///   - line: Where the task begins, for diagnostics.
    public func beganNetworkTask(
        withToken token: AnyObject, label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        tracker.begin(token, label: label, fileID: fileID, line: line)
    }

    /// Begins a task that lasts until the returned token is released or finished.
    ///
    /// Any thread; constant time.
    ///
    /// - Parameters:
    ///   - label: A name for diagnostics.
    ///   - fileID: Where the task begins, for diagnostics.
    ///   - line: Where the task begins, for diagnostics.
    /// - Returns: The token to hold while the network is in use.
    public func beganNetworkTask(
        label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NetworkTaskToken {
        NetworkTaskToken(
            tracker.beginOpaque(type: NetworkTaskToken.self, label: label, fileID: fileID, line: line),
            tracker: tracker)
    }

    /// Ends a task now, without waiting for the token to go away.
    ///
    /// One finish ends the task, however often it began. Finishing what is no task changes nothing, and monitors hear of
    /// it as misuse. It may be called from the token's own `deinit`. Any thread; constant time.
    ///
    /// - Parameters:
    ///   - token: The object the task began with, or the token that its begin returned.
    ///   - fileID: Where the call is, for diagnostics.
    ///   - line: Where the call is, for diagnostics.
    public func finishedNetworkTask(
        forToken token: AnyObject, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        tracker.finish(token, fileID: fileID, line: line)
    }

    /// Runs `body` as a task: from its start until it returns or throws.
    ///
    /// ```swift
    /// let manager = NetworkIndicatorManager.shared
    /// let users = try await manager.withNetworkTask(label: "Users") { try await api.users() }
    /// ```
    ///
    /// - Parameters:
    ///   - label: A name for diagnostics.
    ///   - isolation: Where `body` runs: on the caller's actor.
    ///   - fileID: Where the task begins, for diagnostics.
    ///   - line: Where the task begins, for diagnostics.
    ///   - body: The network use.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withNetworkTask<R, E: Error>(
        label: String? = nil, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        line: UInt = #line, _ body: () async throws(E) -> R
    ) async throws(E) -> R {
        let task = tracker.beginOpaque(type: Self.ScopedTask.self, label: label, fileID: fileID, line: line)
        defer { _ = tracker.finishOpaque(task) }
        return try await body()
    }

    /// The type of token that diagnostics name for ``withNetworkTask(label:isolation:fileID:line:_:)``.
    private enum ScopedTask {}

    /// Forgets every task of every kind. Any thread.
    ///
    /// Tokens of forgotten tasks end nothing any more.
    public func reset() { tracker.reset() }
}
