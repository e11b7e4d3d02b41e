public import NetworkIndicator

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSessionTask {
    /// Keeps the indicator on while this task runs. A task that is completed or remains suspended doesn't count as
    /// network use, even while your code still retains it.
    ///
    /// ```swift
    /// session.dataTask(with: url) { _, _, _ in print("done") }.tracked().resume()
    /// ```
    ///
    /// This method is thread-safe. A task counts only once for each manager, even if you call this method repeatedly,
    /// or if its session is tracked. A later call replaces the label. The method retains neither the task nor the
    /// manager, and ignores tasks with `file:` and `data:` URLs. The manager's `reset()` ends the tracking, even of a
    /// suspended task.
    ///
    /// Except in a background session, a task counts as soon as the call returns, even if it is suspended.
    /// `waitUntilIdle()` after `.tracked().resume()` therefore waits for the task. A task that isn't resumed within 50
    /// ms stops counting until it is resumed. URLSession doesn't report when a task is resumed, so a timer on the main
    /// thread checks the suspended tasks that the manager tracks. For the first ten seconds of a task's suspension, the
    /// timer checks that task every 50 ms. After that, the interval is the manager's `completionCheckInterval`, or 50
    /// ms if that is longer.
    ///
    /// The system may start a task of a background session hours after `resume()`. Such a task doesn't count until it
    /// has received a response, or has sent or received body data. For the first ten seconds, the timer checks for this
    /// every 50 ms, and after that every five seconds. A download that takes less than five seconds may therefore not
    /// be shown. When the system relaunches the app, track the tasks of the session again:
    /// `for task in await session.allTasks { task.tracked() }`.
    ///
    /// A task of any other session counts while it waits for connectivity, unless
    /// `URLSession.tracked(configuration:delegate:delegateQueue:manager:fileID:line:where:)` created the session.
    ///
    /// On Linux, a task counts until its delegate's `urlSession(_:task:didCompleteWithError:)` or its completion
    /// handler returns, or until the task is cancelled. In a tracked session, a task stops counting before its
    /// completion handler runs.
    ///
    /// The default label is the HTTP method and the URL without its credentials, query and fragment. Asset downloads
    /// have no default label. The method returns this task.
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
    /// The name omits the query and the fragment, because they may contain secrets, such as an API key.
    package var diagnosticName: String? {
        url.map { "\(httpMethod ?? "GET") \($0.withoutCredentials.prefix { $0 != "?" && $0 != "#" })" }
    }
}
