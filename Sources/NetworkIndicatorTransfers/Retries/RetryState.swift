import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
    /// Unlike `retries`, this number stays after progress.
    private var pauses = 0
    private var resumableLength: Int64 = 0
    private var hasResponse = false
    private var offline: OfflinePeriod?

    /// Restores the retries if the next attempt can resume from more bytes than before.
    mutating func noteProgress(_ resumableLength: Int64, hasResponse: Bool = false) {
        self.hasResponse = hasResponse
        guard resumableLength > self.resumableLength else { return }
        self.resumableLength = resumableLength
        retries = 0
    }

    mutating func decide(
        after failure: AttemptFailure, of request: URLRequest, at now: Duration, before end: Duration,
        _ policy: TrackedRetryPolicy
    ) -> Decision {
        guard policy.mayRepeat(request) else { return .stop }
        // A monitor can be wrong, but an attempt that received a response had a network.
        if case .transport(let error) = failure, !hasResponse, policy.connectivityTimeout != .zero,
            policy.isOffline(error, url: request.url)
        {
            return waitForConnectivity(error, at: now, before: end, policy)
        }
        offline = nil
        guard retries < policy.maximumRetries, let wait = failure.minimumWait(policy) else { return .stop }
        let pause = Self.pause(pauses, base: policy.backoffBase, limit: policy.backoffLimit) * policy.timing.random()
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
        var period = offline ?? OfflinePeriod(began: now, error: error)
        defer { offline = period }
        let pause = Self.pause(period.waits, base: .seconds(1), limit: SystemConnectivityMonitor.longestPause)
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
