public import Foundation
public import NetworkIndicator

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Requests that keep the indicator on while they use the network. They are retried after transient failures, and wait
/// while the device is offline.
///
/// The indicator is on during attempts and off during the waits between them. A cancelled call throws
/// `CancellationError` at once, and sends no further request. `file:` and `data:` URLs are not tracked.
///
/// Tracked requests in a background session throw ``NetworkRequestError``. Track the tasks of a background session with
/// `URLSessionTask.tracked(by:label:fileID:line:)` instead.
///
/// The session's delegate queue must be serial, as URLSession requires. Don't invalidate the session during a call. The
/// session's delegate decides about challenges and redirects. On Linux, timeouts are rounded up to whole seconds.
/// `timeoutIntervalForResource` of the session's configuration limits the whole call, including retries and waits. See
/// <doc:URLSession-on-Linux>.
extension URLSession {
    /// Loads the response to a request into memory.
    ///
    /// ```swift
    /// let request = URLRequest(url: url)
    /// let (data, response) = try await URLSession.shared.trackedData(for: request)
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request. A request with a body stream is never sent twice.
    ///   - policy: The rules for retries.
    ///   - manager: The manager that tracks the attempts.
    ///   - label: The name of the task in diagnostics. Default: the method and the URL without credentials and query.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    ///   - onEvent: Called with the events of attempts, waits and progress, in order, on any thread.
    /// - Returns: The body and the response, whatever its status.
    /// - Throws: ``NetworkRequestError``; `CancellationError` when the task is cancelled.
    public func trackedData(
        for request: URLRequest, policy: TrackedRetryPolicy = .standard, manager: NetworkIndicatorManager = .shared,
        label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (Data, URLResponse) {
        let call = TrackedRequest(
            request: request, session: self, policy: policy, manager: manager, label: label,
            origin: CallSite(fileID: fileID, line: line), events: EventRelay(policy.timing, onEvent))
        return try await call.load()
    }

    /// Loads the contents of a URL into memory.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - policy: The rules for retries.
    ///   - manager: The manager that tracks the attempts.
    ///   - label: The name of the task in diagnostics. Default: the method and the URL without credentials and query.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    ///   - onEvent: Called with the events of attempts, waits and progress, in order, on any thread.
    /// - Returns: The body and the response, whatever its status.
    /// - Throws: ``NetworkRequestError``; `CancellationError` when the task is cancelled.
    public func trackedData(
        from url: URL, policy: TrackedRetryPolicy = .standard, manager: NetworkIndicatorManager = .shared,
        label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (Data, URLResponse) {
        try await trackedData(
            for: URLRequest(url: url), policy: policy, manager: manager, label: label, fileID: fileID, line: line,
            onEvent: onEvent)
    }

    /// Sends data. Each attempt sends all of the data.
    ///
    /// ```swift
    /// var request = URLRequest(url: url)
    /// request.httpMethod = "PUT"  // POST needs an Idempotency-Key for retries
    /// let (_, response) = try await URLSession.shared.trackedUpload(
    ///     for: request, from: data)
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request. Its own body is not sent.
    ///   - bodyData: The body to send.
    ///   - policy: The rules for retries.
    ///   - manager: The manager that tracks the attempts.
    ///   - label: The name of the task in diagnostics. Default: the method and the URL without credentials and query.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    ///   - onEvent: Called with the events of attempts, waits and progress, in order, on any thread.
    /// - Returns: The body of the response, and the response, whatever its status.
    /// - Throws: ``NetworkRequestError``; `CancellationError` when the task is cancelled.
    public func trackedUpload(
        for request: URLRequest, from bodyData: Data, policy: TrackedRetryPolicy = .standard,
        manager: NetworkIndicatorManager = .shared, label: String? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (Data, URLResponse) {
        let call = TrackedRequest(
            request: request.withoutBody, session: self, policy: policy, manager: manager, label: label,
            origin: CallSite(fileID: fileID, line: line), events: EventRelay(policy.timing, onEvent))
        return try await call.load(.data(bodyData))
    }

    /// Sends a file. Each attempt sends the whole file. On Linux, each attempt reads the whole file into memory.
    ///
    /// - Parameters:
    ///   - request: The request. Its own body is not sent.
    ///   - fileURL: The file to send. The file must not change during the call.
    ///   - policy: The rules for retries.
    ///   - manager: The manager that tracks the attempts.
    ///   - label: The name of the task in diagnostics. Default: the method and the URL without credentials and query.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    ///   - onEvent: Called with the events of attempts, waits and progress, in order, on any thread.
    /// - Returns: The body of the response, and the response, whatever its status.
    /// - Throws: ``NetworkRequestError``; `CancellationError` when the task is cancelled.
    public func trackedUpload(
        for request: URLRequest, fromFile fileURL: URL, policy: TrackedRetryPolicy = .standard,
        manager: NetworkIndicatorManager = .shared, label: String? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (Data, URLResponse) {
        let call = TrackedRequest(
            request: request.withoutBody, session: self, policy: policy, manager: manager, label: label,
            origin: CallSite(fileID: fileID, line: line), events: EventRelay(policy.timing, onEvent))
        return try await call.load(.file(fileURL))
    }
}

extension URLRequest {
    fileprivate var withoutBody: URLRequest {
        var request = self
        (request.httpBody, request.httpBodyStream) = (nil, nil)
        return request
    }
}
