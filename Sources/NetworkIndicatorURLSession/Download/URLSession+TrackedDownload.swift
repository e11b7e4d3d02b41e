public import Foundation
public import NetworkIndicator

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Loads what a request asks for into a file.
    ///
    /// An attempt after a broken one continues the file, if the server gave it a strong `ETag` and accepts ranges, and
    /// asks with `If-Range`, so that parts of different versions never end up in one file. Otherwise it starts over. A
    /// continued download returns the response that the file began with.
    ///
    /// ```swift
    /// let (file, response) = try await URLSession.shared.trackedDownload(for: URLRequest(url: url)) { event in
    ///     if case .willRetry(_, let failure, let delay) = event { print("again in \(delay): \(failure)") }
    /// }
    /// defer { try? FileManager.default.removeItem(at: file) }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - policy: Which failures are tried again.
    ///   - manager: Whose indicators are on meanwhile.
    ///   - onEvent: Hears of every attempt and wait, in order, on whatever thread they happen.
    /// - Returns: A file in the temporary directory, to be moved or deleted by the caller, and the response, whatever its
    ///   status. (A program that is killed leaves what it had of the file there, as `NetworkIndicator-….download`.)
    /// - Throws: ``NetworkRequestError``; `CancellationError` when the task is cancelled; errors of the file system.
    public func trackedDownload(
        for request: URLRequest, policy: RetryPolicy = .standard, manager: NetworkIndicatorManager = .shared,
        onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (URL, URLResponse) {
        let (url, response) = try await trackedDownload(
            for: request, policy: policy, manager: manager, token: nil, label: nil,
            makeFile: { _ in try PartialFile() },
            onEvent: onEvent)
        return (url!, response)
    }

    /// Loads what a request asks for into a file of the caller's making.
    ///
    /// - Parameters:
    ///   - token: Begins and ends with each attempt. `nil` for one of each attempt's own.
    ///   - label: The name of the tasks. `nil` for the request's address.
    ///   - makeFile: Makes a file for a response, or throws what ends the download, or returns `nil` where the status says
    ///     everything: then the body need not be complete.
    /// - Returns: The file, unless none was made, and the response.
    package func trackedDownload(
        for request: URLRequest, policy: RetryPolicy, manager: NetworkIndicatorManager,
        token: (any AnyObject & Sendable)?, label: String?,
        makeFile: @escaping @Sendable (URLResponse) throws -> PartialFile?,
        onEvent: (@Sendable (AttemptEvent) -> Void)?
    ) async throws -> (URL?, URLResponse) {
        let tracked = TrackedRequest(
            request, policy: policy, manager: manager, token: token, label: label, onEvent: onEvent)
        let file = DownloadFile(makeFile)
        defer { file.discard() }
        let result = try await tracked.run(in: self) { request in
            try await download(file.begin(request), to: file)
        }
        file.handOver()
        return result
    }

    /// Loads what is at an address into a file.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - policy: Which failures are tried again.
    ///   - manager: Whose indicators are on meanwhile.
    ///   - onEvent: Hears of every attempt and wait, in order, on whatever thread they happen.
    /// - Returns: A file in the temporary directory, to be moved or deleted by the caller, and the response, whatever its
    ///   status.
    /// - Throws: ``NetworkRequestError``; `CancellationError` when the task is cancelled; errors of the file system.
    public func trackedDownload(
        from url: URL, policy: RetryPolicy = .standard, manager: NetworkIndicatorManager = .shared,
        onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (URL, URLResponse) {
        try await trackedDownload(for: URLRequest(url: url), policy: policy, manager: manager, onEvent: onEvent)
    }

    private func download(_ request: URLRequest, to file: DownloadFile) async throws -> (URL?, URLResponse) {
        #if canImport(FoundationNetworking)
        let session = DownloadSessions.shared.session(for: self)
        #else
        let session = self
        #endif
        return try await Attempt<(URL?, URLResponse)>().run(on: session.delegateQueue) { handler in
            let task = session.dataTask(with: request)
            #if canImport(FoundationNetworking)
            let delegate = session.delegate as! DownloadDelegate
            #else
            let delegate = DownloadDelegate()
            task.delegate = delegate
            #endif
            delegate.add(task, file: file, handler: handler)
            return task
        }
    }
}
