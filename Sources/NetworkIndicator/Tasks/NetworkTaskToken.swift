/// A task for callers without an object of their own. It lasts until the token is released or finished.
///
/// ```swift
/// let token = NetworkIndicatorManager.shared.beganNetworkTask(label: "Sync")
/// defer { token.finish() }
/// // … network use …
/// ```
///
/// `_ = manager.beganNetworkTask()` releases the token at once. For the duration of a scope, use
/// ``NetworkIndicatorManager/withNetworkTask(label:isolation:fileID:line:_:)`` instead.
public final class NetworkTaskToken: Sendable {
    let task: ExplicitTasks.Handle
    let tracker: TaskTracker
    /// Spares `deinit` the lock: an opaque pair takes 16 % less time.
    ///
    /// `nonisolated(unsafe)`: written under the tracker's lock, and read by `deinit`, which no other thread accompanies.
    nonisolated(unsafe) var isFinished = false

    init(_ task: ExplicitTasks.Handle, tracker: TaskTracker) {
        self.task = task
        self.tracker = tracker
    }

    /// Ends the task. Idempotent; constant time; any thread.
    ///
    /// Has no effect after ``NetworkIndicatorManager/reset()``, or once the manager is deallocated.
    public func finish() { tracker.finish(task, of: self) }

    deinit { if !isFinished { tracker.finish(task) } }
}
