public import Foundation
public import NetworkIndicator

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Creates a session that tracks its tasks, regardless of which code creates them.
    ///
    /// You can pass the session to any library that accepts a `URLSession`. In this example, the session tracks all
    /// requests except those for `/events`:
    ///
    /// ```swift
    /// let session = URLSession.tracked(configuration: .default) {
    ///     $0.url?.path() != "/events"
    /// }
    /// session.dataTask(with: url) { _, _, _ in print("done") }.resume()
    /// ```
    ///
    /// The session tracks each task as `URLSessionTask.tracked(by:label:fileID:line:)` does. On this session, a call to
    /// `trackedData(for:)` or a similar method of `NetworkIndicatorTransfers` counts only once. Such a call doesn't
    /// count during the delays between its attempts.
    ///
    /// `waitUntilIdle()` may return before a task's completion handler has run.
    ///
    /// If the configuration sets `waitsForConnectivity` to `true`, a task doesn't count while it waits for
    /// connectivity. The task counts again after it has received a response, or has sent or received body data, which
    /// is detected within five seconds. Except on watchOS, the task also counts for ten seconds when a network becomes
    /// available, even without data. URLSession reports at most the first wait of a task, and no wait of a task that is
    /// loaded by a class in the configuration's `protocolClasses`. If a task has its own delegate, as in
    /// `data(for:delegate:)`, which implements `urlSession(_:taskIsWaitingForConnectivity:)`, URLSession reports the
    /// wait only to that delegate. During a wait that isn't reported to the session, the task counts.
    ///
    /// The session doesn't track WebSocket tasks, stream tasks, or tasks whose request or session configuration sets
    /// `networkServiceType` to `.background`. For a single call that must not turn the indicator on, use
    /// ``withoutTracking(_:)``.
    ///
    /// The session retains the delegate until the session is invalidated, and doesn't retain the manager. On Apple's
    /// platforms, the session's `delegate` is an object that forwards messages to your delegate.
    ///
    /// On Linux, the session doesn't track calls to Foundation's asynchronous methods, such as `data(for:)`. Use
    /// `trackedData(for:)` and the similar methods of `NetworkIndicatorTransfers` instead.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the session.
    ///   - delegate: The delegate of the session.
    ///   - delegateQueue: The serial queue for the delegate's methods and for completion handlers. By default, the
    ///     session creates a queue.
    ///   - manager: The manager that tracks the tasks.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - isTracked: A closure that returns whether to track the task of a request. The session calls the closure on
    ///     the thread that creates the task.
    /// - Returns: The session.
    public static func tracked(
        configuration: URLSessionConfiguration = .default, delegate: (any URLSessionDelegate)? = nil,
        delegateQueue: OperationQueue? = nil, manager: NetworkIndicatorManager = .shared,
        fileID: StaticString = #fileID, line: UInt = #line,
        where isTracked: @escaping @Sendable (URLRequest) -> Bool = { _ in true }
    ) -> URLSession {
        let isBackground = configuration.networkServiceType == .background
        let tracking = SessionTracking(
            manager: manager, isInBackground: configuration.identifier != nil,
            isTracked: { !isBackground && isTracked($0) },
            origin: CallSite(fileID: fileID, line: line))
        return makeTracked(
            configuration: configuration, delegate: delegate, delegateQueue: delegateQueue, tracking: tracking)
    }
}
