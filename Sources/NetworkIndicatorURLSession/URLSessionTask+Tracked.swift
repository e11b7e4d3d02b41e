public import NetworkIndicator

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSessionTask {
    /// Keeps the indicator on while this task runs: not before it is resumed, nor while it is suspended, nor once it has
    /// ended, however long it is held.
    ///
    /// For tasks of your own, with delegates or completion handlers; nothing is retried. Neither the task nor the manager is retained.
    ///
    /// ```swift
    /// session.dataTask(with: url) { _, _, _ in print("done") }.tracked().resume()
    /// ```
    ///
    /// URLSession on Linux lets nobody observe a task, so its state is asked for, on every platform alike: 10 ms after
    /// each change, then less and less often, up to the manager's `completionCheckInterval`.
    ///
    /// - Parameter manager: Whose indicators are on.
    /// - Returns: The task.
    @discardableResult
    public func tracked(by manager: NetworkIndicatorManager = .shared) -> Self {
        tracked(by: manager, timing: .system)
    }

    @discardableResult
    package func tracked(by manager: NetworkIndicatorManager, timing: RetryTiming) -> Self {
        guard originalRequest?.url?.isNetworkUse != false else { return self }
        let watch = TaskWatch(task: self, manager: manager, timing: timing)
        Task { await watch.run() }
        return self
    }
}
