/// A task for callers who have no object of their own: it lasts until the token is released, or finished.
///
/// ```swift
/// let token = NetworkIndicatorManager.shared.beganNetworkTask(label: "Sync")
/// // … network use …
/// token.finish()  // or just let go of it
/// ```
///
/// `_ = manager.beganNetworkTask()` lets go of it at once. Where the task is a scope, no token is needed:
/// ``NetworkIndicatorManager/withNetworkTask(label:isolation:fileID:line:_:)``.
public final class NetworkTaskToken: Sendable {
    let task: TokenRegistry.OpaqueTask
    let tracker: TaskTracker
    /// Whether the task has been finished: then `deinit`, which is alone with it, has no need of the lock.
    ///
    /// `nonisolated(unsafe)`: written under the tracker's lock.
    nonisolated(unsafe) var isFinished = false

    init(_ task: TokenRegistry.OpaqueTask, tracker: TaskTracker) {
        self.task = task
        self.tracker = tracker
    }

    /// Ends the task. Any thread; idempotent; constant time.
    ///
    /// It is harmless after a reset and after the manager is gone: it never ends another task.
    public func finish() { _ = tracker.finishOpaque(task, of: self) }

    deinit {
        if !isFinished { finish() }
    }
}
