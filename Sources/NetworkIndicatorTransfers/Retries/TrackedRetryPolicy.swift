public import Foundation
import NetworkIndicator
public import NetworkIndicatorURLSession

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
/// A negative number or duration counts as zero.
public struct TrackedRetryPolicy: Sendable {
    /// The largest number of retries. Default 2.
    ///
    /// An attempt from whose bytes a download can resume restores the number. Only attempts without progress therefore
    /// use up the retries. The back-off pauses still grow.
    public var maximumRetries = 2

    /// The error codes after which a request is retried.
    ///
    /// Default: `timedOut`, `cannotFindHost`, `cannotConnectToHost`, `networkConnectionLost` and `dnsLookupFailed`.
    public var retriedErrorCodes: Set<URLError.Code> = [
        .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
    ]

    /// The HTTP statuses after which a request is retried. Default none.
    ///
    /// If the response to the last attempt has such a status, the call returns that response. A download to a
    /// destination instead throws ``DownloadError/unacceptableStatus(_:)``, and one without a destination returns an
    /// empty file.
    public var retriedStatusCodes: Set<Int> = []

    /// The HTTP statuses with which `trackedData` and `trackedUpload` return. Default `nil`, for all statuses.
    ///
    /// After another status, the call throws ``NetworkRequestError`` with the code `badServerResponse` and the
    /// ``NetworkRequestError/response``. A status of ``retriedStatusCodes`` is first retried. A download to a
    /// destination accepts only other statuses of 2xx, and a download without a destination accepts all statuses.
    ///
    /// ```swift
    /// var policy = TrackedRetryPolicy.standard
    /// policy.acceptedStatusCodes = Set(200..<300)
    /// ```
    public var acceptedStatusCodes: Set<Int>?

    /// Whether requests with non-idempotent methods, such as POST and PATCH, are also retried. Default `false`.
    public var retriesNonIdempotentRequests = false

    /// The longest back-off pause before the first retry. Default 0.5 s; at most 1 h.
    ///
    /// The longest pause doubles with each further retry, up to ``backoffLimit``. The actual pause is a random time
    /// between zero and the longest pause (full jitter).
    public var backoffBase: Duration = .milliseconds(500)

    /// The upper limit of the back-off pauses. Default 20 s.
    public var backoffLimit: Duration = .seconds(20)

    /// The longest `Retry-After` that is honoured. Default 60 s.
    ///
    /// If a response requests a longer wait, the request isn't retried. If the requested wait is within the limit, the
    /// request is retried after the requested wait plus the back-off pause.
    public var retryAfterLimit: Duration = .seconds(60)

    /// The longest time that a request waits while the device is offline. Default 60 s; `nil` for no limit.
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
    public var connectivityTimeout: Duration? = .seconds(60)

    /// The monitor that helps to determine whether the device was offline when a request failed. During an offline
    /// wait, a change that the monitor reports starts the next attempt early. Default: the system's monitor.
    public var connectivityMonitor: any ConnectivityMonitor = .system

    /// The largest number of bytes that a response's body in memory may have. Default `nil`, for no limit.
    ///
    /// The limit applies to the decompressed body of `trackedData` and `trackedUpload`. If the body is longer, the call
    /// throws ``NetworkRequestError`` with the code `dataLengthExceedsMaximum`. Without a limit, a server that never
    /// ends its response fills the memory. For downloads, use ``DownloadOptions/maximumBytes``.
    public var maximumDataBytes: Int64?

    /// The clock for pauses, for the times between progress events, and for the session's `timeoutIntervalForResource`.
    /// Default: `ContinuousClock`, which advances while the device sleeps.
    ///
    /// A test can pass a clock whose time it controls. If the session's configuration has a
    /// `timeoutIntervalForResource` of less than seven days, the default, a Swift task sleeps on the clock for that
    /// time, from the beginning of the call to its end. The timeouts of requests don't use this clock.
    public var clock: any Clock<Duration> = ContinuousClock()

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
}

extension TrackedRetryPolicy {
    func mayRepeat(_ request: URLRequest) -> Bool {
        guard request.httpBodyStream == nil else { return false }
        if retriesNonIdempotentRequests || request.value(forHTTPHeaderField: "Idempotency-Key") != nil { return true }
        let method = (request.httpMethod ?? "GET").uppercased()
        return ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method)
    }

    func isOffline(_ error: URLError, url: URL?, isRefused: Bool) -> Bool {
        let offlineCodes: [URLError.Code] = [
            .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive,
        ]
        if offlineCodes.contains(error.code) { return !isRefused }
        // A network can be lost before a lookup, before a connection, and during a transfer.
        let codes: [URLError.Code] = [.cannotFindHost, .cannotConnectToHost, .networkConnectionLost]
        guard codes.contains(error.code), let host = url?.host, !host.isLoopback else { return false }
        return connectivityMonitor.isOffline
    }
}

extension URLError {
    /// Whether the request doesn't permit the current network.
    fileprivate var refusesNetwork: Bool {
        #if canImport(FoundationNetworking)
        false
        #else
        networkUnavailableReason != nil
        #endif
    }
}

extension TrackedRetryPolicy {
    func waitForConnectivity(atMost limit: Duration) async throws {
        let end = Signal()
        clock.schedule(after: limit, on: .global()) { end.send() }
        // This task is unstructured, because this method must not wait for a monitor that ignores cancellation.
        let change = Task {
            await connectivityMonitor.waitForChange()
            // Without this pause, a monitor that always returns immediately would cause attempts without pauses.
            try await clock.sleep(for: .milliseconds(100))
            end.send()
        }
        defer { change.cancel() }
        try await end.wait()
    }
}

struct RetryState {
    enum Decision: Equatable {
        case stop
        case expire(URLError, offline: Duration)
        case retry(after: Duration)
        case waitForConnectivity(URLError, atMost: Duration)
    }

    private var retries = 0
    /// Unlike `retries`, this number stays after progress.
    private var pauses = 0
    private var resumableLength: Int64 = 0
    private var hasResponse = false
    private var offline: (began: Duration, error: URLError, waits: Int)?

    /// Restores the retries if the next attempt can resume from more bytes than before.
    mutating func noteProgress(_ resumableLength: Int64, hasResponse: Bool = false) {
        self.hasResponse = hasResponse
        guard resumableLength > self.resumableLength else { return }
        self.resumableLength = resumableLength
        retries = 0
    }

    mutating func decide(
        after failure: AttemptFailure, of request: URLRequest, at now: Duration, before end: Duration,
        _ policy: TrackedRetryPolicy, random: Double = .random(in: 0...1)
    ) -> Decision {
        guard policy.mayRepeat(request) else { return .stop }
        // A monitor can be wrong, but an attempt that received a response had a network.
        if case .transport(let error) = failure, !hasResponse, policy.connectivityTimeout ?? .longest > .zero,
            policy.isOffline(error, url: request.url, isRefused: error.refusesNetwork)
        {
            return waitForConnectivity(error, at: now, before: end, policy)
        }
        offline = nil
        guard retries < policy.maximumRetries else { return .stop }
        let wait: Duration
        switch failure {
        case .transport(let error) where policy.retriedErrorCodes.contains(error.code): wait = .zero
        case .status(_, let delay) where delay ?? .zero <= max(.zero, policy.retryAfterLimit): wait = delay ?? .zero
        default: return .stop
        }
        let pause = Self.pause(pauses, base: policy.backoffBase, limit: policy.backoffLimit) * random
        // Without the sum, all clients of a server would return at the same time.
        let delay = wait + pause
        guard delay < end - now else { return .stop }
        retries += 1
        pauses += 1
        return .retry(after: delay)
    }

    private mutating func waitForConnectivity(
        _ error: URLError, at now: Duration, before end: Duration, _ policy: TrackedRetryPolicy
    ) -> Decision {
        var period = offline ?? (began: now, error: error, waits: 0)
        defer { offline = period }
        let pause = Self.pause(period.waits, base: .seconds(1), limit: SystemConnectivityMonitor.longestPause)
        period.waits += 1
        let end = policy.connectivityTimeout.map { min(end, period.began + $0) } ?? end
        guard now < end else {
            return period.began < now ? .expire(period.error, offline: now - period.began) : .stop
        }
        return .waitForConnectivity(error, atMost: min(pause, end - now))
    }

    private static func pause(_ exponent: Int, base: Duration, limit: Duration) -> Duration {
        // Without these limits, the product could overflow `Duration`.
        min(max(.zero, limit), base.clamped(to: .zero ... .seconds(3_600)) * (Int64(1) << min(exponent, 40)))
    }
}
