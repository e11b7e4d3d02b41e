public import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The rules for retries: which failures are retried, how many times, and after which pause.
///
/// ```swift
/// var policy = TrackedRetryPolicy.retryingServerErrors
/// policy.maximumRetries = 4
/// policy.connectivityTimeout = nil  // no limit for offline waits
/// let (data, response) = try await URLSession.shared.trackedData(
///     for: request, policy: policy)
/// ```
///
/// Only GET, HEAD, OPTIONS, TRACE, PUT and DELETE are retried, because a request that failed may still have reached its
/// server. Other methods are retried if the request has an `Idempotency-Key` or ``retriesNonIdempotent`` is set. A body
/// stream is never sent twice.
///
/// Cancelled requests, bad URLs, and certificate and authentication failures are not retried. On Linux, certificate
/// failures have no specific error code, so they are retried.
///
/// Each property clamps its value to its limits.
public struct TrackedRetryPolicy: Sendable {
    /// The largest number of retries after the first attempt. Default 2; from 0 to 100.
    public var maximumRetries = 2 {
        didSet { maximumRetries = min(max(0, maximumRetries), 100) }
    }

    /// The errors after which a request is retried.
    ///
    /// Default: timed out, cannot find host, cannot connect to host, network connection lost, DNS lookup failed. On
    /// Linux, also `unknown` and `badServerResponse`, because URLSession reports connections lost before or during the
    /// response with these codes.
    public var retriedErrorCodes = TrackedRetryPolicy.transientErrorCodes

    /// The HTTP statuses after which a request is retried. Default none.
    ///
    /// After the last retry, the call returns the last response.
    public var retriedStatusCodes: Set<Int> = []

    /// Whether requests of every method are retried, including POST and PATCH. Default `false`.
    public var retriesNonIdempotent = false

    /// The longest pause before the first retry. The longest pause doubles with each further retry. Default 0.5 s; from
    /// zero to 1 h.
    ///
    /// The actual pause is a random time between zero and the longest pause (full jitter).
    public var backoffBase: Duration = .milliseconds(500) {
        didSet { backoffBase = backoffBase.clamped(to: .zero ... .seconds(3_600)) }
    }

    /// The limit to which the longest pause doubles. Default 20 s; from zero to 1 h.
    public var backoffLimit: Duration = .seconds(20) {
        didSet { backoffLimit = backoffLimit.clamped(to: .zero ... .seconds(3_600)) }
    }

    /// The longest `Retry-After` that is honoured. Default 60 s; from zero to 24 h.
    ///
    /// If a response requests a longer wait, the call returns that response. Within the limit, the request is retried
    /// after the `Retry-After` or the back-off, whichever is longer.
    public var retryAfterLimit: Duration = .seconds(60) {
        didSet { retryAfterLimit = retryAfterLimit.clamped(to: .zero ... .seconds(86_400)) }
    }

    /// The longest time that a request waits while the device is offline. Default 60 s; from zero to 100 years; `nil`
    /// for no limit.
    ///
    /// The limit also applies if the session's configuration sets `waitsForConnectivity`.
    ///
    /// If the error has a `networkUnavailableReason`, the request doesn't permit the current network, and fails at
    /// once. So you can first try a request that excludes constrained networks. If the error has no such reason, the
    /// request waits. URLSession then doesn't distinguish a missing network from other causes, such as a VPN that is
    /// off.
    ///
    /// After the limit, the request fails with the error that began the wait, and sets
    /// ``NetworkRequestError/offlineTime``. Attempts during the wait don't count as retries. If the limit is zero, a
    /// missing network is treated like any other error.
    public var connectivityTimeout: Duration? = .seconds(60) {
        didSet { connectivityTimeout = connectivityTimeout?.clamped(to: .zero ... .longest) }
    }

    /// The monitor that determines whether the device was offline when a request failed, and that ends an offline wait
    /// early. Default: the system's monitor.
    public var connectivityMonitor: any ConnectivityMonitor = .system

    /// The clocks and the random numbers, which tests replace.
    package var timing = RetryTiming.system

    private init(_ change: (inout TrackedRetryPolicy) -> Void = { _ in }) { change(&self) }

    /// Allows two retries after transport errors, and offline waits of up to 60 s.
    public static let standard = TrackedRetryPolicy()

    /// The standard policy with retries after the statuses 408, 429, 502, 503 and 504.
    public static let retryingServerErrors = TrackedRetryPolicy { $0.retriedStatusCodes = [408, 429, 502, 503, 504] }

    /// Makes one attempt and never waits.
    public static let never = TrackedRetryPolicy {
        $0.maximumRetries = 0
        $0.connectivityTimeout = .zero
    }

    private static let transientErrorCodes = Transport.brokenConnectionCodes.union([
        .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
    ])
}

extension TrackedRetryPolicy {
    /// Whether the request may be sent more than once.
    func mayRepeat(_ request: URLRequest) -> Bool {
        guard request.httpBodyStream == nil else { return false }
        if retriesNonIdempotent || request.value(forHTTPHeaderField: "Idempotency-Key") != nil { return true }
        let method = (request.httpMethod ?? "GET").uppercased()
        return ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method)
    }

    /// Whether the error results from a missing network.
    func isOffline(_ error: URLError, url: URL?) -> Bool {
        let offlineCodes: [URLError.Code] = [
            .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive,
        ]
        if offlineCodes.contains(error.code) { return !Transport.isRefusedByRequest(error) }
        // URLSession on Linux never reports -1009. It reports a missing route as `.unknown`, and a missing resolver as
        // `.cannotFindHost`.
        let codes: [URLError.Code] = [.unknown, .cannotFindHost, .networkConnectionLost]
        guard codes.contains(error.code), let host = url?.host, !Self.isLoopback(host) else { return false }
        return connectivityMonitor.isOffline
    }

    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]."))
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
