public import Foundation
public import NetworkIndicator

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Loads the response to a request into a file.
    ///
    /// If the connection is lost during an attempt, the next attempt resumes the download. If the call fails or is
    /// cancelled, or if its process ends, the next call with the same destination resumes the download. If the server
    /// doesn't permit resuming, the download starts over. See ``DownloadOptions/keepsPartialFile``.
    ///
    /// The returned response is the one with which this call began to write the final file. If the call resumed an
    /// earlier call's download, that response has the status 206.
    ///
    /// If another download to the same destination is running, in this or another process, the call throws an error.
    /// Before a call throws, it releases the file, so you can immediately repeat the call. Therefore, a cancelled call
    /// waits for a write in progress.
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
    ///     which is renamed when the download is complete. If the response has an unsuccessful status, the call throws
    ///     ``DownloadError/unacceptableStatus(_:)``. By default (`nil`), the file is in the temporary directory.
    ///   - options: The options for the destination. Without a destination, only ``DownloadOptions/maximumBytes`` has
    ///     an effect.
    ///   - policy: The rules for retries.
    ///   - manager: The manager that tracks the attempts.
    ///   - label: The name of the task in diagnostics. Default: the method and the URL without credentials and query.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    ///   - onEvent: Called with the events of attempts, waits and progress, in order, on any thread.
    /// - Returns: The destination and the response. If you pass no destination, the call returns a file in the
    ///   temporary directory and the response, whatever its status. Move or delete that file.
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

    /// Loads the contents of a URL into a file. See
    /// ``trackedDownload(for:to:options:policy:manager:label:fileID:line:onEvent:)``.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - destination: The URL of the finished file, or `nil` for a file in the temporary directory.
    ///   - options: The options for the destination.
    ///   - policy: The rules for retries.
    ///   - manager: The manager that tracks the attempts.
    ///   - label: The name of the task in diagnostics. Default: the method and the URL without credentials and query.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    ///   - onEvent: Called with the events of attempts, waits and progress, in order, on any thread.
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
