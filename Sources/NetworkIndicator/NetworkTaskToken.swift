/// A token for callers that have no suitable object. The token's task lasts until the token is released or finished.
///
/// ```swift
/// let token = NetworkIndicatorManager.shared.beganNetworkTask(label: "Sync")
/// defer { token.finish() }
/// // … network use …
/// ```
///
/// The statement `_ = manager.beganNetworkTask()` releases the token at once, which ends the task. To track a scope
/// without storing a token, use ``NetworkIndicatorManager/withNetworkTask(label:isolation:fileID:line:_:)``.
public final class NetworkTaskToken: Sendable {
    private let task: ExplicitTasks.Handle
    let tracker: ActivityTracker
    /// If this is `true`, `deinit` doesn't acquire the lock, which makes beginning and finishing a task 16 % faster.
    ///
    /// `nonisolated(unsafe)`: the tracker's lock guards this variable. `deinit` reads it without the lock, because no
    /// other thread has a reference to the token at that time.
    private nonisolated(unsafe) var isFinished = false

    init(_ task: ExplicitTasks.Handle, tracker: ActivityTracker) {
        self.task = task
        self.tracker = tracker
    }

    /// Ends the task. This method is idempotent.
    ///
    /// If the manager was reset or deallocated after the task began, the method has no effect.
    public func finish() { _ = finishTask() }

    func finishTask() -> Bool {
        let finished = tracker.change { state in
            isFinished = true
            return state.finish(task)
        }
        return finished != nil
    }

    deinit { if !isFinished { tracker.change { $0.finish(task, isReleased: true) } } }
}
