public import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The rules for retries and offline waits.
///
/// ```swift
/// var policy = TrackedRetryPolicy.retryingServerErrors
/// policy.maximumRetries = 4
/// policy.connectivityTimeout = nil  // no limit for offline waits
/// let (data, response) = try await URLSession.shared.trackedData(
///     for: request, policy: policy)
/// ```
///
/// A failed request may have reached its server. By default, a request is therefore retried only if it has an
/// idempotent method (GET, HEAD, OPTIONS, TRACE, PUT or DELETE) or an `Idempotency-Key` header. If
/// ``retriesNonIdempotentRequests`` is `true`, all methods are retried. A request with a body stream is never retried.
///
/// A property whose description contains a range clamps its value to that range.
public struct TrackedRetryPolicy: Sendable, Equatable {
    /// The largest number of retries. Default 2; from 0 to 100.
    ///
    /// An attempt from whose bytes a download can resume restores the number. Only attempts without progress therefore
    /// use up the retries. The back-off pauses still grow.
    public var maximumRetries = 2 {
        didSet { maximumRetries = min(max(0, maximumRetries), 100) }
    }

    /// The error codes after which a request is retried.
    ///
    /// Default: `timedOut`, `cannotFindHost`, `cannotConnectToHost`, `networkConnectionLost` and `dnsLookupFailed`. On
    /// Linux, the default also contains `unknown` and `badServerResponse`, because URLSession uses these codes for lost
    /// connections. There, URLSession also uses `unknown` for certificate failures, which are therefore retried.
    public var retriedErrorCodes = TrackedRetryPolicy.transientErrorCodes

    /// The HTTP statuses after which a request is retried. Default none.
    ///
    /// If the response to the last attempt has such a status, the call returns that response. A download to a
    /// destination instead throws ``DownloadError/unacceptableStatus(_:)``, unless the status is 2xx.
    public var retriedStatusCodes: Set<Int> = []

    /// Whether requests with non-idempotent methods, such as POST and PATCH, are also retried. Default `false`.
    public var retriesNonIdempotentRequests = false

    /// The longest back-off pause before the first retry. Default 0.5 s; from zero to 1 h.
    ///
    /// The longest pause doubles with each further retry, up to ``backoffLimit``. The actual pause is a random time
    /// between zero and the longest pause (full jitter).
    public var backoffBase: Duration = .milliseconds(500) {
        didSet { backoffBase = backoffBase.clamped(to: .zero ... .seconds(3_600)) }
    }

    /// The upper limit of the back-off pauses. Default 20 s; from zero to 1 h.
    public var backoffLimit: Duration = .seconds(20) {
        didSet { backoffLimit = backoffLimit.clamped(to: .zero ... .seconds(3_600)) }
    }

    /// The longest `Retry-After` that is honoured. Default 60 s; from zero to 24 h.
    ///
    /// If a response requests a longer wait, the request isn't retried. If the requested wait is within the limit, the
    /// request is retried after the requested wait plus the back-off pause.
    public var retryAfterLimit: Duration = .seconds(60) {
        didSet { retryAfterLimit = retryAfterLimit.clamped(to: .zero ... .seconds(86_400)) }
    }

    /// The longest time that a request waits while the device is offline. Default 60 s; from zero to 100 years; `nil`
    /// for no limit.
    ///
    /// During the wait, the request is attempted again at intervals that grow from 1 s to 30 s (on watchOS 5 s), or
    /// earlier if the monitor reports a change. These attempts don't count as retries. This also applies on Apple's
    /// platforms if the session's configuration sets `waitsForConnectivity`. If the limit is exceeded, the call throws
    /// ``NetworkRequestError`` with the error that began the wait, and ``NetworkRequestError/offlineTime`` is the
    /// duration of the wait. If the limit is zero, a missing network is treated like any other error.
    ///
    /// A request that isn't retried because of its method or its body stream waits only if the session's configuration
    /// sets `waitsForConnectivity`. URLSession then waits, and the configuration's `timeoutIntervalForResource` limits
    /// the wait, instead of this property.
    ///
    /// If the error of an attempt has a `networkUnavailableReason`, the request doesn't permit the current network, and
    /// doesn't wait for another network. You can therefore first send a request that excludes constrained networks, and
    /// handle its failure.
    public var connectivityTimeout: Duration? = .seconds(60) {
        didSet { connectivityTimeout = connectivityTimeout?.clamped(to: .zero ... .longest) }
    }

    /// The monitor that helps to determine whether the device was offline when a request failed. During an offline
    /// wait, a change that the monitor reports starts the next attempt early. Default: the system's monitor.
    public var connectivityMonitor: any ConnectivityMonitor = .system

    package var timing = RetryTiming.system

    /// Creates the ``standard`` policy.
    public init() {}

    /// Allows up to two retries after transient errors, and offline waits of up to 60 s.
    public static let standard = TrackedRetryPolicy()

    /// The ``standard`` policy, plus retries after the statuses 408, 429, 502, 503 and 504.
    public static let retryingServerErrors: TrackedRetryPolicy = {
        var policy = TrackedRetryPolicy()
        policy.retriedStatusCodes = [408, 429, 502, 503, 504]
        return policy
    }()

    /// Makes one attempt, without retries or offline waits.
    public static let singleAttempt: TrackedRetryPolicy = {
        var policy = TrackedRetryPolicy()
        (policy.maximumRetries, policy.connectivityTimeout) = (0, .zero)
        return policy
    }()

    /// Two policies are equal if they have the same monitor and equal values.
    public static func == (left: TrackedRetryPolicy, right: TrackedRetryPolicy) -> Bool {
        left.connectivityMonitor === right.connectivityMonitor && left.values == right.values
    }

    private var values: [AnyHashable] {
        [
            maximumRetries, retriedErrorCodes, retriedStatusCodes, retriesNonIdempotentRequests, backoffBase,
            backoffLimit, retryAfterLimit, connectivityTimeout,
        ]
    }

    private static let transientErrorCodes = SystemWire.brokenConnectionCodes.union([
        .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
    ])
}

extension TrackedRetryPolicy {
    func mayRepeat(_ request: URLRequest) -> Bool {
        guard request.httpBodyStream == nil else { return false }
        if retriesNonIdempotentRequests || request.value(forHTTPHeaderField: "Idempotency-Key") != nil { return true }
        let method = (request.httpMethod ?? "GET").uppercased()
        return ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method)
    }

    func isOffline(_ error: URLError, url: URL?) -> Bool {
        let offlineCodes: [URLError.Code] = [
            .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive,
        ]
        if offlineCodes.contains(error.code) { return !SystemWire.isRefusedByRequest(error) }
        // On Linux, URLSession reports a missing route as `.unknown`, and a failed DNS lookup as `.cannotFindHost`.
        // `Exchange` reports an incomplete body as `.networkConnectionLost`.
        let codes: [URLError.Code] = [.unknown, .cannotFindHost, .networkConnectionLost]
        guard codes.contains(error.code), let host = url?.host, !Self.isLoopback(host) else { return false }
        return connectivityMonitor.isOffline
    }

    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]."))
        return host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host.hasPrefix("127.")
    }
}

extension TrackedRetryPolicy {
    /// Without this minimum, a monitor whose `waitForChange()` returns immediately would cause attempts without pauses.
    private static let minimum: Duration = .milliseconds(100)

    func waitForConnectivity(atMost limit: Duration) async throws {
        let end = Signal()
        // These tasks are unstructured, because this method must not wait for a monitor that ignores cancellation.
        let timer = Task {
            try await timing.sleep(limit)
            end.send()
        }
        let wake = Task {
            let start = timing.now()
            await connectivityMonitor.waitForChange()
            try await timing.sleep(max(.zero, Self.minimum - (timing.now() - start)))
            end.send()
        }
        defer {
            timer.cancel()
            wake.cancel()
        }
        try await end.wait()
    }
}

package struct RetryTiming: Sendable {
    /// Returns the time of a clock that also advances while the machine sleeps.
    package var now: @Sendable () -> Duration
    package var sleep: @Sendable (Duration) async throws -> Void
    package var date: @Sendable () -> Date
    package var random: @Sendable () -> Double

    package static let system: RetryTiming = {
        let start = ContinuousClock.now
        return RetryTiming(
            now: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0) }, date: { Date() },
            random: { .random(in: 0...1) })
    }()
}
