public import Foundation
public import NetworkIndicator

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Creates a session that tracks all of its tasks, regardless of which code creates them.
    ///
    /// You can pass the session to any library that accepts a session:
    ///
    /// ```swift
    /// let session = URLSession.tracked(configuration: .default) {
    ///     $0.url?.path() != "/events"
    /// }
    /// session.dataTask(with: url) { _, _, _ in print("done") }.resume()
    /// ```
    ///
    /// The session tracks each task as `URLSessionTask.tracked(by:label:fileID:line:)` does. Diagnostics name the URL
    /// of each task, without its query, and the line of this call. Calls such as `trackedData(for:)` on this session
    /// count once. They don't count while they wait between attempts.
    ///
    /// A task ends before its completion handler runs, so `waitUntilIdle()` doesn't wait for the handler.
    ///
    /// If the configuration sets `waitsForConnectivity`, a task doesn't count while it waits. The task counts again
    /// when it receives a response, or sends or receives body data. When a network is found, the task also counts for
    /// ten seconds without data. URLSession reports only the first wait of each task. If a class of `protocolClasses`
    /// loads the request, URLSession reports no wait. A task counts during waits that URLSession doesn't report.
    ///
    /// The session doesn't track WebSocket and stream tasks, downloads of AV assets, and requests and configurations
    /// whose `networkServiceType` is `.background`. The session retains the delegate until the session is invalidated.
    /// It doesn't retain the manager.
    ///
    /// On Linux, Foundation's `data(for:)`, `upload(for:from:)` and `download(for:)` bypass the tracking. Use
    /// `trackedData(for:)`, `trackedUpload(for:from:)` and `trackedDownload(for:)`. On Apple's platforms, the session's
    /// `delegate` is an object that forwards to your delegate.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the session.
    ///   - delegate: The delegate of the session.
    ///   - delegateQueue: The queue for the delegate's methods and for completion handlers. It must be serial. By
    ///     default, the session creates a serial queue.
    ///   - manager: The manager that tracks the tasks.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    ///   - isTracked: Returns whether to track the task of a request. The session calls this on the thread that creates
    ///     the task.
    /// - Returns: The session.
    public static func tracked(
        configuration: URLSessionConfiguration = .default, delegate: (any URLSessionDelegate)? = nil,
        delegateQueue: OperationQueue? = nil, manager: NetworkIndicatorManager = .shared,
        fileID: StaticString = #fileID, line: UInt = #line,
        where isTracked: @escaping @Sendable (URLRequest) -> Bool = { _ in true }
    ) -> URLSession {
        let isBackground = configuration.networkServiceType == .background
        let tracking = SessionTracking(
            manager: manager, isTracked: { !isBackground && isTracked($0) },
            origin: CallSite(fileID: fileID, line: line))
        return makeTracked(
            configuration: configuration, delegate: delegate, delegateQueue: delegateQueue, tracking: tracking)
    }
}
