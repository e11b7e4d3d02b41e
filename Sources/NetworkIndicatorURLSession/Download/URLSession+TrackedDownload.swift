public import Foundation
public import NetworkIndicator

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Loads what a request asks for into a file.
    ///
    /// If an attempt breaks off, the next one continues the file, provided that the server gave it a strong `ETag` and
    /// accepts ranges, and that the answer comes from the same URL with the same `ETag`. Otherwise it starts over. A
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
    ///   - destination: Where the file is to be. The bytes are written to a file beside it, which takes its name when it
    ///     is complete. Only a successful response gets there; any other throws
    ///     ``DownloadError/unacceptableStatus(_:)``. If it is `nil`, the default, the file is in the temporary directory.
    ///   - options: How the destination is treated. Without a destination only the limit of bytes has a meaning.
    ///   - policy: Which failures are tried again.
    ///   - manager: The manager that tracks the attempts.
    ///   - label: The name of the task in diagnostics. Default: the URL without credentials.
    ///   - fileID: The file that diagnostics name.
    ///   - line: The line that diagnostics name.
    ///   - onEvent: Receives every attempt, wait and progress, in order, on any thread.
    /// - Returns: The destination and the response. Without a destination, a file in the temporary directory, which the
    ///   caller moves or deletes, and the response, whatever its status.
    /// - Throws: ``NetworkRequestError``; ``DownloadError``; `CancellationError` when the task is cancelled.
    public func trackedDownload(
        for request: URLRequest, to destination: URL? = nil, options: DownloadOptions = DownloadOptions(),
        policy: RetryPolicy = .standard, manager: NetworkIndicatorManager = .shared, label: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (URL, URLResponse) {
        let partialFile = try destination.map { try Self.partialFile(for: $0, options) }
        let (url, response) = try await download(
            request, policy: policy, manager: manager, token: nil, label: label,
            origin: CallSite(fileID: fileID, line: line),
            makeFile: { response in
                guard let partialFile else { return try PartialFile() }
                if let http = response as? HTTPURLResponse, !(200..<300).contains(http.statusCode) {
                    if policy.retriedStatusCodes.contains(http.statusCode) { return nil }
                    throw DownloadError.unacceptableStatus(http)
                }
                return try PartialFile(at: partialFile)
            },
            onEvent: onEvent)
        guard let url else { throw DownloadError.unacceptableStatus(response as! HTTPURLResponse) }
        guard let destination else { return (url, response) }
        if rename(url.path, destination.path) != 0 {
            let code = POSIXErrorCode(rawValue: errno) ?? .EIO
            try? FileManager.default.removeItem(at: url)
            throw DownloadError.file(.rename, url: destination, code: code)
        }
        return (destination, response)
    }

    private static func partialFile(for destination: URL, _ options: DownloadOptions) throws -> URL {
        if !options.replacesDestination, FileManager.default.fileExists(atPath: destination.path) {
            throw DownloadError.file(.create, url: destination, code: .EEXIST)
        }
        let name = ".\(destination.lastPathComponent).\(UUID().uuidString.prefix(8)).part"
        return options.partialFile ?? destination.deletingLastPathComponent().appendingPathComponent(name)
    }

    /// Loads what a request asks for into a file of the caller's making.
    package func trackedDownload(
        for request: URLRequest, policy: RetryPolicy, manager: NetworkIndicatorManager,
        token: (any AnyObject & Sendable)?, label: String?,
        makeFile: @escaping @Sendable (URLResponse) throws -> PartialFile?,
        onEvent: (@Sendable (AttemptEvent) -> Void)?
    ) async throws -> (URL?, URLResponse) {
        try await download(
            request, policy: policy, manager: manager, token: token, label: label,
            origin: CallSite(fileID: #fileID, line: #line), makeFile: makeFile, onEvent: onEvent)
    }

    private func download(
        _ request: URLRequest, policy: RetryPolicy, manager: NetworkIndicatorManager,
        token: (any AnyObject & Sendable)?, label: String?, origin: CallSite,
        makeFile: @escaping @Sendable (URLResponse) throws -> PartialFile?,
        onEvent: (@Sendable (AttemptEvent) -> Void)?
    ) async throws -> (URL?, URLResponse) {
        let tracked = TrackedRequest(
            request, policy: policy, manager: manager, token: token, label: label, origin: origin, onEvent: onEvent)
        let file = DownloadFile(makeFile)
        defer { file.discard() }
        let result = try await tracked.run(in: self) { request in
            try await download(file.begin(request), to: file)
        }
        file.handOver()
        return result
    }

    /// Loads what is at a URL into a file. See ``trackedDownload(for:to:options:policy:manager:label:fileID:line:onEvent:)``.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - destination: Where the file is to be, or `nil` for a file in the temporary directory.
    ///   - options: How the destination is treated.
    ///   - policy: Which failures are tried again.
    ///   - manager: The manager that tracks the attempts.
    ///   - label: The name of the task in diagnostics. Default: the URL without credentials.
    ///   - fileID: The file that diagnostics name.
    ///   - line: The line that diagnostics name.
    ///   - onEvent: Receives every attempt, wait and progress, in order, on any thread.
    /// - Returns: The file and the response.
    /// - Throws: ``NetworkRequestError``; ``DownloadError``; `CancellationError` when the task is cancelled.
    public func trackedDownload(
        from url: URL, to destination: URL? = nil, options: DownloadOptions = DownloadOptions(),
        policy: RetryPolicy = .standard, manager: NetworkIndicatorManager = .shared, label: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (URL, URLResponse) {
        try await trackedDownload(
            for: URLRequest(url: url), to: destination, options: options, policy: policy, manager: manager,
            label: label, fileID: fileID, line: line, onEvent: onEvent)
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
