public import Foundation
public import NetworkIndicator

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Loads the response to a request into a file.
    ///
    /// If an attempt breaks off, the next one resumes the file. If the call fails, is cancelled or ends with its process,
    /// the next call to the same destination resumes it. If the server doesn't permit that, the file starts over. See
    /// ``DownloadOptions/keepsPartialFile``.
    ///
    /// The returned response is the one that the file began with in this call. If the call resumed a part of an earlier
    /// call, it is a 206.
    ///
    /// Two downloads to the same destination at once are an error of the second one, in whatever process. A call that
    /// has thrown holds nothing any more, so the same call can be made again. For that, a cancelled call waits for a
    /// write in progress.
    ///
    /// ```swift
    /// let (file, response) = try await URLSession.shared.trackedDownload(
    ///     for: URLRequest(url: url)
    /// ) { event in
    ///     if case .willRetry(_, let failure, let delay) = event {
    ///         print("again in \(delay): \(failure)")
    ///     }
    /// }
    /// defer { try? FileManager.default.removeItem(at: file) }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: The URL of the finished file. The bytes are written to ``DownloadOptions/partialFile(for:)``,
    ///     which is renamed when it is complete. An unsuccessful status throws ``DownloadError/unacceptableStatus(_:)``. By default
    ///     (`nil`), the file is in the temporary directory.
    ///   - options: The options for the destination. Without a destination, only ``DownloadOptions/maximumBytes`` has
    ///     an effect.
    ///   - policy: Which failures are retried, and how.
    ///   - manager: The manager that tracks the attempts.
    ///   - label: The name of the task in diagnostics. Default: the method and the URL without credentials and query.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    ///   - onEvent: Receives attempts, waits and progress, in order, on any thread.
    /// - Returns: The destination and the response. Without a destination, a file in the temporary directory, which the
    ///   caller moves or deletes, and the response, whatever its status.
    /// - Throws: ``NetworkRequestError``; ``DownloadError``; `CancellationError` when the task is cancelled.
    public func trackedDownload(
        for request: URLRequest, to destination: URL? = nil, options: DownloadOptions = DownloadOptions(),
        policy: TrackedRetryPolicy = .standard, manager: NetworkIndicatorManager = .shared, label: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (URL, URLResponse) {
        let call = TrackedRequest(
            request: request, session: self, policy: policy, manager: manager, label: label,
            origin: CallSite(fileID: fileID, line: line), events: EventRelay(policy.timing, onEvent))
        return try await call.reporting {
            let file = try DownloadFile(to: destination, options, call.events)
            do {
                return try file.commit(try await call.run(into: file))
            } catch {
                await file.discard()
                throw error
            }
        }
    }

    /// Loads the contents of a URL into a file. See ``trackedDownload(for:to:options:policy:manager:label:fileID:line:onEvent:)``.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - destination: The URL of the finished file, or `nil` for a file in the temporary directory.
    ///   - options: The options for the destination.
    ///   - policy: Which failures are retried, and how.
    ///   - manager: The manager that tracks the attempts.
    ///   - label: The name of the task in diagnostics. Default: the method and the URL without credentials and query.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    ///   - onEvent: Receives attempts, waits and progress, in order, on any thread.
    /// - Returns: The file and the response.
    /// - Throws: ``NetworkRequestError``; ``DownloadError``; `CancellationError` when the task is cancelled.
    public func trackedDownload(
        from url: URL, to destination: URL? = nil, options: DownloadOptions = DownloadOptions(),
        policy: TrackedRetryPolicy = .standard, manager: NetworkIndicatorManager = .shared, label: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (URL, URLResponse) {
        try await trackedDownload(
            for: URLRequest(url: url), to: destination, options: options, policy: policy, manager: manager,
            label: label, fileID: fileID, line: line, onEvent: onEvent)
    }
}
