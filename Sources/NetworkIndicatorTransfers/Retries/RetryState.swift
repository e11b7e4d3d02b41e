import Foundation

/// The state machine for the retries of one request. It receives failures and returns decisions. It has no side
/// effects, except that it takes random numbers from the policy.
struct RetryState {
    enum Decision: Equatable {
        /// Make no further attempt. The last failure is the outcome.
        case stop
        /// The offline wait was too long. The error that began the wait is the outcome.
        case expire(URLError, offline: Duration)
        case retry(after: Duration)
        /// Retry when a network may be available again, at the latest after this time.
        case waitForConnectivity(atMost: Duration)
    }

    /// A sequence of attempts that failed because no network was available.
    private struct OfflinePeriod {
        let began: Duration
        let error: URLError
        var waits = 0
    }

    private var retries = 0
    private var offline: OfflinePeriod?

    /// - Parameters:
    ///   - failure: The failure of the attempt.
    ///   - offlineSince: The time at which the device was first offline in this attempt. `nil` if the attempt failed
    ///     for a reason other than a missing network.
    ///   - now: The time of the policy's clock.
    ///   - end: The time by which the call must end.
    mutating func decide(
        after failure: AttemptFailure, offlineSince: Duration?, at now: Duration, before end: Duration,
        _ policy: TrackedRetryPolicy
    ) -> Decision {
        if let offlineSince, case .transport(let error) = failure, policy.connectivityTimeout != .zero {
            return waitForConnectivity(error, since: offlineSince, at: now, before: end, policy)
        }
        offline = nil
        guard retries < policy.maximumRetries, failure.isRetried(by: policy) else { return .stop }
        let pause = Self.pause(retries, base: policy.backoffBase, limit: policy.backoffLimit) * policy.timing.random()
        let delay = max(pause, failure.retryAfter ?? .zero)
        guard delay < end - now else { return .stop }
        retries += 1
        return .retry(after: delay)
    }

    private mutating func waitForConnectivity(
        _ error: URLError, since: Duration, at now: Duration, before end: Duration, _ policy: TrackedRetryPolicy
    ) -> Decision {
        var period = offline ?? OfflinePeriod(began: since, error: error)
        defer { offline = period }
        let pause = Self.pause(period.waits, base: .seconds(1), limit: .seconds(30))
        period.waits += 1
        let end = policy.connectivityTimeout.map { min(end, period.began + $0) } ?? end
        guard now < end else {
            return period.began < now ? .expire(period.error, offline: now - period.began) : .stop
        }
        return .waitForConnectivity(atMost: min(pause, end - now))
    }

    /// Returns `base` · 2ⁿ, where *n* is the exponent, but at most `limit`.
    private static func pause(_ exponent: Int, base: Duration, limit: Duration) -> Duration {
        // More than 40 doublings exceed every limit, and could overflow.
        min(limit, base * (Int64(1) << min(exponent, 40)))
    }
}
