public import Foundation
public import NetworkIndicator

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Creates a session that tracks all of its tasks, whatever code creates them.
    ///
    /// Pass it to any library that accepts a session:
    ///
    /// ```swift
    /// let session = URLSession.tracked(configuration: .default) {
    ///     $0.url?.path() != "/events"
    /// }
    /// session.dataTask(with: url) { _, _, _ in print("done") }.resume()
    /// ```
    ///
    /// Each task is tracked as by `URLSessionTask.tracked(by:label:fileID:line:)`. Diagnostics name the URL of each
    /// task, without its query, and the line of this call. Calls such as `trackedData(for:)` on this session count
    /// once, and not while they wait between attempts.
    ///
    /// A task ends before its completion handler runs, so `waitUntilIdle()` doesn't wait for the handler.
    ///
    /// If the configuration has `waitsForConnectivity`, a task doesn't count while it waits. It counts again with its
    /// first sign of life: a response, or a part of a body. When a network is found, it also counts for ten seconds
    /// without one. URLSession reports a wait once for each task, and not at all if `protocolClasses` has a class that
    /// loads the request. Such waits count.
    ///
    /// The session excludes WebSocket and stream tasks, downloads of AV assets, and requests and configurations whose
    /// `networkServiceType` is `.background`. It retains the delegate until it is invalidated, and doesn't retain the
    /// manager.
    ///
    /// On Linux, Foundation's `data(for:)`, `upload(for:from:)` and `download(for:)` bypass the tracking. Use
    /// `trackedData(for:)`, `trackedUpload(for:from:)` and `trackedDownload(for:)`. On Apple's platforms the session's
    /// `delegate` is an object that forwards to yours.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the session.
    ///   - delegate: The delegate of the session.
    ///   - delegateQueue: The queue for the delegate's methods and for completion handlers. It must be serial. By
    ///     default, the session creates one.
    ///   - manager: The manager that tracks the tasks.
    ///   - fileID: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    ///   - isTracked: Returns whether to track the task of a request. It runs on the thread that creates the task.
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
