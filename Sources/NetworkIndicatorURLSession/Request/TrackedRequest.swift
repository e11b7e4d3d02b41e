import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request with all its attempts.
struct TrackedRequest: Sendable {
    private let request: URLRequest
    private let policy: TrackedRetryPolicy
    private let activity: RequestActivity

    init(
        _ request: URLRequest, policy: TrackedRetryPolicy, manager: NetworkIndicatorManager, label: String?,
        origin: CallSite, onEvent: (@Sendable (AttemptEvent) -> Void)?
    ) {
        self.request = request
        self.policy = policy
        activity = RequestActivity(
            request: request, manager: manager, label: label, origin: origin,
            events: EventRelay(now: policy.timing.now, onEvent ?? { _ in }))
    }

    /// The relay for the events of the attempts.
    var events: EventRelay { activity.events }

    /// Receives whether the system waits for a network.
    func noteConnectivity(isWaiting: Bool) { activity.noteConnectivity(isWaiting: isWaiting) }

    /// Performs the whole call, and reports its end. After that, the caller receives no event.
    func reporting<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value {
        do {
            let value = try await call()
            await events.finish()
            return value
        } catch {
            await events.finish()
            throw error
        }
    }

    /// Makes attempts until one succeeds, or the policy allows no more.
    ///
    /// - Parameters:
    ///   - session: The session whose timeouts apply.
    ///   - attempt: Makes an attempt that takes at most the given time. An error that isn't a `URLError` ends the
    ///     request.
    /// - Returns: The result of the last attempt.
    /// - Throws: ``NetworkRequestError``, `CancellationError`, or any other error of the attempt.
    func run<Value: Sendable>(
        in session: URLSession, _ attempt: (URLRequest, Duration) async throws -> (Value, URLResponse)
    ) async throws -> (Value, URLResponse) {
        let settings = session.settings
        if let error = Self.error(forSessionIdentifier: settings.identifier) { throw fail(error, 0) }
        let end = policy.timing.now() + settings.resourceTimeout
        var state = RetryState()
        var attempts = 0
        while true {
            try Task.checkCancellation()
            attempts += 1
            let outcome: Result<(Value, URLResponse), URLError>
            do {
                outcome = .success(
                    try await activity.reporting(attempts) { try await attempt(request, end - policy.timing.now()) })
            } catch let error as URLError {
                try Task.checkCancellation()
                outcome = .failure(error)
            }
            guard let failure = failure(outcome.map(\.1)) else {
                policy.budget?.noteSuccess()
                return try outcome.get()
            }
            let decision = decide(failure, &state)
            if try await wait(decision, failure, attempts, until: end) { continue }
            if case .expire(let original) = decision { throw fail(original, attempts) }
            return try outcome.mapError { fail($0, attempts) }.get()
        }
    }

    /// Returns the error for a background session, whose tasks raise exceptions for completion handlers and ignore task
    /// delegates. Other sessions have no identifier.
    static func error(forSessionIdentifier identifier: String?) -> URLError? {
        identifier.map {
            let reason = "The session “\($0)” is a background session, which tracked requests can't use."
            return URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: reason])
        }
    }

    private func fail(_ error: URLError, _ attempts: Int) -> NetworkRequestError {
        NetworkRequestError(underlyingError: error, attempts: attempts, url: request.url)
    }

    /// - Returns: An error, or a status that the policy retries.
    private func failure(_ outcome: Result<URLResponse, URLError>) -> AttemptFailure? {
        switch outcome {
        case .failure(let error):
            return .transport(error)
        case .success(let response):
            guard let response = response as? HTTPURLResponse, policy.retriedStatusCodes.contains(response.statusCode)
            else { return nil }
            return .status(
                response.statusCode, retryAfter: RetryAfter.delay(of: response, at: policy.timing.date()))
        }
    }

    private func decide(_ failure: AttemptFailure, _ state: inout RetryState) -> RetryState.Decision {
        guard policy.mayRepeat(request) else { return .stop }
        var isOffline = false
        if case .transport(let error) = failure { isOffline = policy.isOffline(error, url: request.url) }
        return state.decide(after: failure, isOffline: isOffline, at: policy.timing.now(), policy)
    }

    /// - Returns: Whether another attempt follows.
    private func wait(
        _ decision: RetryState.Decision, _ failure: AttemptFailure, _ attempts: Int, until end: Duration
    ) async throws -> Bool {
        let rest = end - policy.timing.now()
        switch decision {
        case .stop, .expire: return false
        case .retry(let delay) where delay >= rest: return false
        case .waitForConnectivity where rest <= .zero: return false
        case .retry(let delay):
            activity.events.post(.willRetry(attempt: attempts + 1, failure: failure, delay: delay))
            try await policy.timing.sleep(delay)
        case .waitForConnectivity(let limit):
            if case .transport(let error) = failure { activity.events.post(.waitingForConnectivity(error: error)) }
            try await ConnectivityWait(monitor: policy.connectivityMonitor, timing: policy.timing).run(
                atMost: min(limit, rest))
        }
        return true
    }
}
