public import Foundation
public import NetworkIndicator

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Requests that are retried after transient failures, and that wait while the device is offline.
///
/// The manager tracks the attempts, but not the waits for a retry or for a network. As an exception, if the session's
/// configuration sets `waitsForConnectivity`, a request that the policy doesn't repeat stays tracked while URLSession
/// waits for a network. `file:` and `data:` URLs are not tracked. A cancelled call sends no further request.
///
/// In a background session, these methods throw ``NetworkRequestError``. Track the tasks of such a session with
/// `URLSessionTask.tracked(by:label:fileID:line:)` instead.
///
/// The session must have a serial delegate queue, and must not be invalidated during a call. The session's delegate
/// handles redirects and, on Apple's platforms, challenges. The configuration's `timeoutIntervalForResource` limits the
/// whole call, including retries and waits. See <doc:URLSession-on-Linux>.
extension URLSession {
    /// Loads the response to a request into memory.
    ///
    /// ```swift
    /// let request = URLRequest(url: url)
    /// let (data, response) = try await URLSession.shared.trackedData(for: request)
    /// ```
    ///
    /// The other methods share the parameters `policy` to `onEvent`, the results and the errors of this method.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - policy: The rules for retries.
    ///   - manager: The manager that tracks the attempts.
    ///   - label: The name of the task in diagnostics, which also state the HTTP method and the URL without its
    ///     credentials, query and fragment. The default is the method and the URL.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - onEvent: Called with each event, one at a time and in order, on any thread. A slow handler doesn't slow down
    ///     the transfer, but misses progress events. It delays the next attempt, and the end of the call. For the
    ///     progress in a `TransferMeter`, pass the `receive` method of a transfer.
    /// - Returns: The body and the response, which can have any status.
    /// - Throws: ``NetworkRequestError``, which contains the `URLError` of the last attempt; `CancellationError` if the
    ///   calling Swift task is cancelled.
    public func trackedData(
        for request: URLRequest, policy: TrackedRetryPolicy = .standard, manager: NetworkIndicatorManager = .shared,
        label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (Data, URLResponse) {
        let call = TrackedRequest(
            request: request, session: self, policy: policy, manager: manager, label: label,
            origin: CallSite(fileID: fileID, line: line), events: EventRelay(policy.clock, onEvent))
        return try await call.load()
    }

    /// Loads the contents of a URL into memory. See ``trackedData(for:policy:manager:label:fileID:line:onEvent:)`` for
    /// the other parameters.
    public func trackedData(
        from url: URL, policy: TrackedRetryPolicy = .standard, manager: NetworkIndicatorManager = .shared,
        label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (Data, URLResponse) {
        try await trackedData(
            for: URLRequest(url: url), policy: policy, manager: manager, label: label, fileID: fileID, line: line,
            onEvent: onEvent)
    }

    /// Uploads data. Each attempt sends all of `bodyData`, and the request's own body is ignored.
    ///
    /// ```swift
    /// var request = URLRequest(url: url)
    /// request.httpMethod = "PUT"  // POST needs an Idempotency-Key for retries
    /// let (_, response) = try await URLSession.shared.trackedUpload(
    ///     for: request, from: data)
    /// ```
    ///
    /// See ``trackedData(for:policy:manager:label:fileID:line:onEvent:)`` for the other parameters.
    public func trackedUpload(
        for request: URLRequest, from bodyData: Data, policy: TrackedRetryPolicy = .standard,
        manager: NetworkIndicatorManager = .shared, label: String? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (Data, URLResponse) {
        let call = TrackedRequest(
            request: request.withoutBody, session: self, policy: policy, manager: manager, label: label,
            origin: CallSite(fileID: fileID, line: line), events: EventRelay(policy.clock, onEvent))
        return try await call.load(.data(bodyData))
    }

    /// Uploads a file, which must not change during the call. The request's own body is ignored. Each attempt sends the
    /// whole file.
    ///
    /// See ``trackedData(for:policy:manager:label:fileID:line:onEvent:)`` for the other parameters.
    public func trackedUpload(
        for request: URLRequest, fromFile fileURL: URL, policy: TrackedRetryPolicy = .standard,
        manager: NetworkIndicatorManager = .shared, label: String? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (Data, URLResponse) {
        let call = TrackedRequest(
            request: request.withoutBody, session: self, policy: policy, manager: manager, label: label,
            origin: CallSite(fileID: fileID, line: line), events: EventRelay(policy.clock, onEvent))
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
