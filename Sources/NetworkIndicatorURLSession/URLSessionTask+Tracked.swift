public import NetworkIndicator

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSessionTask {
    /// Keeps the indicator on while this task runs. A suspended or completed task doesn't count, even if it isn't
    /// deallocated.
    ///
    /// ```swift
    /// session.dataTask(with: url) { _, _, _ in print("done") }.tracked().resume()
    /// ```
    ///
    /// Call this for tasks with delegates or completion handlers. The task isn't retried. Tracking retains neither the
    /// task nor the manager. Tasks with `file:` and `data:` URLs are not tracked. Any thread.
    ///
    /// The task counts as soon as the call returns, so `waitUntilIdle()` after `.tracked().resume()` waits for it. If
    /// the task isn't resumed within 50 ms, it no longer counts. URLSession doesn't report when a task is resumed, so
    /// one timer checks all suspended tasks on the main thread. For ten seconds, the timer detects a resumed task
    /// within 50 ms. After that, it detects a resumed task within the manager's `completionCheckInterval`.
    ///
    /// A task of a background session may wait for hours before the system begins it. The task counts once it has
    /// received a response, or has sent or received body data. When the system relaunches the app, track the tasks of
    /// the session again: `for task in await session.allTasks { task.tracked() }`.
    ///
    /// Tasks of other sessions count while they wait for connectivity, except in a session created by
    /// `URLSession.tracked(configuration:delegate:delegateQueue:manager:fileID:line:where:)`.
    ///
    /// On Linux, a task runs until its completion handler, or the last method of its delegate, has returned. The task
    /// counts until then.
    ///
    /// This method is idempotent: a task counts once for each manager, even in a tracked session. Another call replaces
    /// the label. After `reset()`, a suspended task is no longer tracked.
    ///
    /// - Parameters:
    ///   - manager: The manager that tracks the task.
    ///   - label: The name of the task in diagnostics. Default: the method and the URL without credentials and query.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    /// - Returns: The task.
    @discardableResult
    public func tracked(
        by manager: NetworkIndicatorManager = .shared, label: String? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        let request = readableRequest
        guard request?.url?.isNetworkUse != false else { return self }
        manager.parkedTasks.track(
            self, label: label ?? request?.diagnosticName, origin: CallSite(fileID: fileID, line: line))
        return self
    }
}

extension URLRequest {
    /// The name of a task with this request in diagnostics: `GET http://host/path`.
    ///
    /// A query may hold secrets, such as an API key.
    package var diagnosticName: String? {
        url.map { "\(httpMethod ?? "GET") \($0.withoutCredentials.prefix { $0 != "?" && $0 != "#" })" }
    }
}
