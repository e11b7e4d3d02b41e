public import Foundation
public import NetworkIndicator

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Creates a session that tracks its tasks, regardless of which code creates them.
    ///
    /// You can pass the session to any library that accepts a session. In this example, the session tracks all tasks
    /// except requests for `/events`:
    ///
    /// ```swift
    /// let session = URLSession.tracked(configuration: .default) {
    ///     $0.url?.path() != "/events"
    /// }
    /// session.dataTask(with: url) { _, _, _ in print("done") }.resume()
    /// ```
    ///
    /// The session tracks each task as `URLSessionTask.tracked(by:label:fileID:line:)` does. Diagnostics name the
    /// task's HTTP method, its URL without credentials, query and fragment, and the line of this call. A call such as
    /// `trackedData(for:)` on this session counts once, and doesn't count while it waits between attempts.
    ///
    /// A task stops counting before its completion handler runs, so `waitUntilIdle()` doesn't wait for the handler.
    ///
    /// If the configuration sets `waitsForConnectivity`, a task doesn't count while it waits for connectivity. The task
    /// counts again when it receives a response, or sends or receives body data. When a network becomes available, the
    /// task counts for ten seconds, even without data. A task counts during waits that URLSession doesn't report.
    /// URLSession reports only the first wait of each task, and none if a class of `protocolClasses` loads the request.
    ///
    /// The session doesn't track WebSocket tasks, stream tasks, downloads of AV assets, or requests whose
    /// `networkServiceType` is `.background`. If the configuration has that service type, the session tracks no task.
    /// The session retains the delegate until the session is invalidated. It doesn't retain the manager.
    ///
    /// On Linux, the session doesn't track Foundation's `data(for:)`, `upload(for:from:)` and `download(for:)`. Use
    /// `trackedData(for:)`, `trackedUpload(for:from:)` and `trackedDownload(for:)` instead. On Apple's platforms, the
    /// session's `delegate` is an object that forwards to your delegate.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the session.
    ///   - delegate: The delegate of the session.
    ///   - delegateQueue: The queue for the delegate's methods and for completion handlers. It must be serial. By
    ///     default, the session creates a serial queue.
    ///   - manager: The manager that tracks the tasks.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    ///   - isTracked: A closure that returns whether to track the task of a request. By default, every task is tracked.
    ///     The session calls the closure on the thread that creates the task.
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
