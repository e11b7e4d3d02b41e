import Foundation

struct RetryState {
    enum Decision: Equatable {
        case stop
        case expire(URLError, offline: Duration)
        case retry(after: Duration)
        case waitForConnectivity(atMost: Duration)
    }

    private struct OfflinePeriod {
        let began: Duration
        let error: URLError
        var waits = 0
    }

    private var retries = 0
    private var offline: OfflinePeriod?

    /// - Parameter offlineSince: `nil` if the failure has a cause other than a missing network.
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

    private static func pause(_ exponent: Int, base: Duration, limit: Duration) -> Duration {
        // The exponent is capped well below 56, at which the largest base (1 h) would overflow `Duration`.
        min(limit, base * (Int64(1) << min(exponent, 40)))
    }
}
