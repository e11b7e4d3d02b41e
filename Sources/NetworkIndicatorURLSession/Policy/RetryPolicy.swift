public import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which failures of a request are tried again, how often, and after what time.
///
/// ```swift
/// var policy = RetryPolicy.retryingServerErrors
/// policy.maximumRetries = 4
/// policy.connectivityTimeout = nil  // wait for the network for as long as it takes
/// let (data, response) = try await URLSession.shared.trackedData(for: request, policy: policy)
/// ```
///
/// Only GET, HEAD, OPTIONS, TRACE, PUT and DELETE are tried again, and other methods where the request has an
/// `Idempotency-Key` or ``retriesNonIdempotent`` is set: no error proves that a request has not reached its server. A
/// body that is a stream is never sent twice. Cancelled requests, bad URLs, and failures of certificates and
/// authentication are not tried again; on Linux the latter have no error code of their own and do cost the retries.
///
/// Values outside a property's limits are clamped to them as they are set.
public struct RetryPolicy: Sendable {
    /// How many times a request is tried again after its first attempt. Default 2; 0 to 100.
    public var maximumRetries = 2 {
        didSet { maximumRetries = min(max(0, maximumRetries), 100) }
    }

    /// The errors after which a request is tried again.
    ///
    /// Default: timed out, cannot find host, cannot connect to host, network connection lost, DNS lookup failed; on Linux
    /// also `unknown` and `badServerResponse`, which is what a connection lost in mid-answer is reported as there.
    public var retriedErrorCodes = RetryPolicy.transientErrorCodes

    /// The HTTP statuses after which a request is tried again. Default none.
    ///
    /// When the retries are used up the last response is returned, as it would have been without them.
    public var retriedStatusCodes: Set<Int> = []

    /// Whether requests of every method are tried again, POST and PATCH included. Default `false`.
    public var retriesNonIdempotent = false

    /// The longest pause before the first retry; it doubles with each further one. Default 0.5 s; zero to 1 h.
    ///
    /// The pause itself is drawn evenly between zero and this (full jitter).
    public var backoffBase: Duration = .milliseconds(500) {
        didSet { backoffBase = backoffBase.clamped(to: .zero ... .seconds(3_600)) }
    }

    /// What the longest pause does not grow beyond. Default 20 s; zero to 1 h.
    public var backoffLimit: Duration = .seconds(20) {
        didSet { backoffLimit = backoffLimit.clamped(to: .zero ... .seconds(3_600)) }
    }

    /// How long a `Retry-After` may be to be waited for: a response that asks for more is returned as it is. Default
    /// 60 s; zero to 24 h.
    ///
    /// Within the limit it is a minimum: the request is tried again then or after the back-off, whichever is later.
    public var retryAfterLimit: Duration = .seconds(60) {
        didSet { retryAfterLimit = retryAfterLimit.clamped(to: .zero ... .seconds(86_400)) }
    }

    /// How long a request waits for a device that is offline to be online again, before it fails with the error that
    /// began the wait. Default 300 s; zero to 100 years; `nil` for as long as it takes.
    ///
    /// Attempts made meanwhile do not count as retries. Zero: being offline is an error like others.
    public var connectivityTimeout: Duration? = .seconds(300) {
        didSet { connectivityTimeout = connectivityTimeout?.clamped(to: .zero ... .longest) }
    }

    /// What limits the retries of many requests together. Default `nil`: nothing does.
    public var budget: RetryBudget?

    /// What ends a wait for connectivity early. Default: the system's.
    public var connectivityMonitor: any ConnectivityMonitor = .system

    /// Where time and chance come from: tests have their own.
    package var timing = RetryTiming.system

    private init() {}

    /// Two retries after transport errors, and up to 300 s of waiting while offline.
    public static let standard = RetryPolicy()

    /// The standard, and retries after 408, 429, 502, 503 and 504 as well.
    public static let retryingServerErrors: RetryPolicy = {
        var policy = RetryPolicy()
        policy.retriedStatusCodes = [408, 429, 502, 503, 504]
        return policy
    }()

    /// One attempt, and no waiting.
    public static let never: RetryPolicy = {
        var policy = RetryPolicy()
        policy.maximumRetries = 0
        policy.connectivityTimeout = .zero
        return policy
    }()

    private static let transientErrorCodes: Set<URLError.Code> = {
        var codes: Set<URLError.Code> = [
            .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
        ]
        #if canImport(FoundationNetworking)
        // A FIN or a cut chunk inside the body is -1 there, a FIN before the response -1011.
        codes.formUnion([.unknown, .badServerResponse])
        #endif
        return codes
    }()
}

extension RetryPolicy {
    /// Whether sending the request twice does no more than sending it once.
    func mayRepeat(_ request: URLRequest) -> Bool {
        guard request.httpBodyStream == nil else { return false }
        if retriesNonIdempotent || request.value(forHTTPHeaderField: "Idempotency-Key") != nil { return true }
        let method = (request.httpMethod ?? "GET").uppercased()
        return ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method)
    }

    /// Whether the error comes from having no network at all.
    func isOffline(_ error: URLError, url: URL?) -> Bool {
        if error.code == .notConnectedToInternet { return true }
        #if canImport(FoundationNetworking)
        // -1009 is never produced there; these two are what having no route and no resolver look like.
        guard error.code == .unknown || error.code == .cannotFindHost else { return false }
        guard let host = url?.host, !Self.isLoopback(host) else { return false }
        return connectivityMonitor.isOffline
        #else
        return false
        #endif
    }

    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]."))
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
