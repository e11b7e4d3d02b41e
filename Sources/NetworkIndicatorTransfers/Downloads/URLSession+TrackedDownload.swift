public import Foundation
public import NetworkIndicator

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Loads the response to a request into a file.
    ///
    /// If the connection is lost, the next attempt resumes the download. If the call doesn't complete the download, the
    /// next call with the same destination resumes it. ``DownloadOptions/keepsPartialFile`` lists the conditions.
    ///
    /// If the destination is a directory, the file receives the `suggestedFilename` of the request's
    /// URL, and the call returns the URL of the file. Requests whose URLs have the same suggested name have the same
    /// file: by default, a later download replaces the file (see ``DownloadOptions/existingFile-swift.property``). To
    /// keep both files, choose the name of each file yourself, for example with `suggestedPath`.
    ///
    /// The file opens when its response arrives, so a download that waits uses no file descriptor. If another download
    /// to the same file is running then, or before the call sends a request, even in another process, the call throws
    /// ``DownloadError/file(_:url:code:)``. This check requires a file system that supports locks. In the container of
    /// an App Group, files aren't locked, because Apple's systems kill an app that is suspended while it holds such a
    /// lock. Without locks, don't run two downloads to the same file: they can fail with the code `ESTALE`.
    ///
    /// Before the call throws an error, it waits for a write in progress and closes the partial file. You can therefore
    /// repeat the call immediately.
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
    /// `destination` is the URL of the complete file, the URL of a directory that receives the file, such as
    /// `.currentDirectory()`, or `nil` for a file in the temporary directory. A URL whose path ends in a slash is
    /// treated as a directory. With a destination, the call throws ``DownloadError/unacceptableStatus(_:)`` after an
    /// unsuccessful response. Without a destination, the file receives the body of any response, and only
    /// ``DownloadOptions/maximumBytes`` of `options` has an effect. If such a call ends with one of the
    /// ``TrackedRetryPolicy/retriedStatusCodes``, the returned file is empty. A sandboxed Mac app that may write only
    /// the chosen file downloads without a destination, and moves the file.
    ///
    /// See ``trackedData(for:policy:manager:label:fileID:line:onEvent:)`` for the other parameters.
    ///
    /// - Returns: The URL of the file, and the response with which this call began to write the file. If the call
    ///   resumed an earlier call's download, that response has the status 206. If the call skipped an existing file,
    ///   the response isn't an `HTTPURLResponse`. If `destination` is `nil`, remove the file when you no longer need
    ///   it.
    /// - Throws: ``NetworkRequestError``; ``DownloadError``; `CancellationError` if the calling Swift task is
    ///   cancelled.
    public func trackedDownload(
        for request: URLRequest, to destination: URL? = nil, options: DownloadOptions = DownloadOptions(),
        policy: TrackedRetryPolicy = .standard, manager: NetworkIndicatorManager = .shared, label: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (URL, URLResponse) {
        let call = TrackedRequest(
            request: request, session: self, policy: policy, manager: manager, label: label,
            origin: CallSite(fileID: fileID, line: line), events: EventRelay(policy.clock, onEvent))
        return try await call.reporting {
            // Each download has queues of its own, so that a slow file system delays no other download.
            try Task.checkCancellation()
            if options.existingFile == .skip, let destination,
                let existing = try await call.events.queue.run({ destination.existingFile(for: request) })
            {
                return existing
            }
            let file = DownloadFile(to: destination, options, retriedStatuses: policy.retriedStatusCodes)
            let result = await Result { try await call.run(into: file).0 }
            // The file of an accepted response is already closed.
            if case .success = result, file.progress != nil { return try file.end(result) }
            // After a cancellation, a handler can still be running on the other queue.
            return try await DispatchQueue(label: "NetworkIndicator.Download").run { try file.end(result) }
        }
    }

    /// Loads the contents of a URL into a file. See
    /// ``trackedDownload(for:to:options:policy:manager:label:fileID:line:onEvent:)``.
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

/// Calls that can block run on dispatch queues, because they must not block the threads of the cooperative pool.
extension DispatchQueue {
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Result { try work() }) }
        }
    }
}
