public import NetworkIndicator

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSessionTask {
    /// Keeps the indicator on while this task runs, and not while it is suspended or after it has ended, even if it is
    /// still held.
    ///
    /// ```swift
    /// session.dataTask(with: url) { _, _, _ in print("done") }.tracked().resume()
    /// ```
    ///
    /// Use it for tasks with delegates or completion handlers. It retries nothing. It retains neither the task nor the
    /// manager. Tasks with `file:` and `data:` URLs are not tracked. Any thread.
    ///
    /// On return the task is counted, so that `waitUntilIdle()` after `.tracked().resume()` waits for it. A task that isn't
    /// resumed within 50 ms is no longer counted. URLSession on Linux doesn't report that a task is resumed, so all tracked
    /// tasks that don't run share one timer. It notices a resume within 50 ms for ten seconds, and then within the
    /// manager's `completionCheckInterval`.
    ///
    /// Idempotent: a task counts once for each manager, also in a session made by
    /// `URLSession.tracked(configuration:delegate:delegateQueue:manager:where:)`.
    ///
    /// - Parameters:
    ///   - manager: The manager that tracks the task.
    ///   - label: The name of the task in diagnostics. Default: the method and the URL without credentials.
    ///   - fileID: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    /// - Returns: The task.
    @discardableResult
    public func tracked(
        by manager: NetworkIndicatorManager = .shared, label: String? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        tracked(by: manager, label: label, origin: CallSite(fileID: fileID, line: line), parkedTasks: .shared)
    }

    @discardableResult
    func tracked(
        by manager: NetworkIndicatorManager, label: String?, origin: CallSite, parkedTasks: ParkedTasks
    ) -> Self {
        let request = readableRequest
        guard request?.url?.isNetworkUse != false else { return self }
        let activity = TaskActivity(
            manager: manager, label: label ?? request?.diagnosticName, origin: origin, parkedTasks: parkedTasks)
        activity.begin(self)
        return self
    }

    /// The original request, unless reading it raises an exception.
    ///
    /// It does so for downloads of AV assets (getsentry/sentry-cocoa #7886). Their classes are private and differ between
    /// systems, but all names contain those of the public ones.
    var readableRequest: URLRequest? {
        Self.hasNoRequest(type(of: self)) ? nil : originalRequest
    }

    static func hasNoRequest(_ type: any Any.Type) -> Bool {
        let name = String(describing: type)
        return name.contains("AVAssetDownloadTask") || name.contains("AVAggregateAssetDownloadTask")
    }
}

extension URLRequest {
    /// The name of a task with this request in diagnostics: `GET http://host/path`.
    var diagnosticName: String? {
        url.map { "\(httpMethod ?? "GET") \($0.withoutCredentials)" }
    }
}
