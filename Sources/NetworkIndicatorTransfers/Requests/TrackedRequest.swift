import Foundation
import NetworkIndicator
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct TrackedRequest: Sendable {
    let request: URLRequest
    let session: URLSession
    let policy: TrackedRetryPolicy
    let manager: NetworkIndicatorManager
    let label: String?
    let origin: CallSite
    let events: EventRelay
    private let id = UUID()
    private let current = Lock(Attempt())

    private struct Attempt {
        var isUnderWay = false
        var token: NetworkTaskToken?
        var offlineSince: Duration?
        /// The task that ends a wait for a network after ``TrackedRetryPolicy/connectivityTimeout``.
        var limit: Task<Void, Never>?
    }

    func reporting<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value {
        do {
            let value = try await call()
            await events.postAndWait(.finished)
            return value
        } catch {
            await events.postAndWait(.finished)
            throw error
        }
    }

    func load(_ body: Exchange.Body = .ofRequest) async throws -> (Data, URLResponse) {
        try await reporting {
            let receiver = DataReceiver()
            let response = try await run(body, into: receiver)
            return (receiver.data, response)
        }
    }

    func run(_ body: Exchange.Body = .ofRequest, into receiver: any BodyReceiver) async throws -> URLResponse {
        let settings = Transport.of(session).settings
        if let identifier = settings.identifier {
            // Background sessions don't support task delegates.
            let reason = "The session “\(identifier)” is a background session, which tracked requests can't use."
            throw fail(URLError(.unknown, reason: reason, url: nil), 0)
        }
        let timed = settings.applied(to: request)
        let end = policy.timing.now() + settings.resourceTimeout
        var state = RetryState()
        var attempts = 0
        while true {
            try Task.checkCancellation()
            attempts += 1
            let outcome = try await tracking(attempts) {
                // The handlers of the start event and of the start notification may already have used some of the
                // remaining time.
                let limit = end - policy.timing.now()
                return try await Exchange(self, timed, body, into: receiver, limit: limit).perform()
            }
            guard let failure = failure(outcome) else { return try outcome.get() }
            state.noteProgress(receiver.resumableLength)
            switch decide(failure, &state, before: end) {
            case .retry(let delay):
                await events.postAndWait(.willRetry(attempt: attempts + 1, failure: failure, delay: delay))
                try await policy.timing.sleep(delay)
            case .waitForConnectivity(let limit):
                if case .transport(let error) = failure {
                    await events.postAndWait(.waitingForConnectivity(error: error))
                }
                try await policy.waitForConnectivity(atMost: limit)
            case .expire(let original, let time):
                throw fail(original, attempts, offline: time)
            case .stop:
                return try outcome.mapError { fail($0, attempts) }.get()
            }
        }
    }

    private func fail(_ error: URLError, _ attempts: Int, offline: Duration? = nil) -> NetworkRequestError {
        NetworkRequestError(underlyingError: error, attemptCount: attempts, offlineTime: offline, url: request.url)
    }

    private func failure(_ outcome: Result<URLResponse, URLError>) -> AttemptFailure? {
        switch outcome {
        case .failure(let error):
            return .transport(error)
        case .success(let response):
            guard let response = response as? HTTPURLResponse, policy.retriedStatusCodes.contains(response.statusCode)
            else { return nil }
            let value = response.value(forHTTPHeaderField: "Retry-After")
            let delay = value.flatMap { RetryAfter.delay($0, at: policy.timing.date()) }
            return .status(response.statusCode, retryAfter: delay)
        }
    }

    private func decide(_ failure: AttemptFailure, _ state: inout RetryState, before end: Duration)
        -> RetryState.Decision
    {
        let now = policy.timing.now()
        guard policy.mayRepeat(request) else {
            guard case .transport(let error) = failure, let since = current.withLock(\.offlineSince) else {
                return .stop
            }
            return .expire(error, offline: now - since)
        }
        var offlineSince: Duration?
        if case .transport(let error) = failure, policy.isOffline(error, url: request.url) {
            offlineSince = current.withLock(\.offlineSince) ?? now
        }
        return state.decide(after: failure, offlineSince: offlineSince, at: now, before: end, policy)
    }
}

extension TrackedRequest {
    private var isTracked: Bool { request.url?.isNetworkUse != false }

    func tracking<R>(_ attempt: Int, _ body: () async throws -> R) async throws -> Result<R, URLError> {
        current.withLock { $0 = Attempt(isUnderWay: true) }
        setToken()
        post(.networkRequestDidStart, attempt, nil)
        await events.postAndWait(.started(attempt: attempt))
        do {
            let result = try await body()
            end(attempt, nil)
            return .success(result)
        } catch {
            end(attempt, error)
            guard let error = error as? URLError else { throw error }
            try Task.checkCancellation()
            return .failure(error)
        }
    }

    private func end(_ attempt: Int, _ error: (any Error)?) {
        let (token, limit) = current.withLock { current in
            current.isUnderWay = false
            return (current.token.take(), current.limit.take())
        }
        limit?.cancel()
        token?.finish()
        post(.networkRequestDidFinish, attempt, error)
        events.endAttempt()
    }

    private func setToken() {
        guard isTracked else { return }
        let token = manager.beganNetworkTask(
            label: label ?? request.diagnosticName, fileID: origin.fileID, line: origin.line)
        let isUsed = current.withLock { current in
            guard current.isUnderWay, current.token == nil else { return false }
            current.token = token
            return true
        }
        if !isUsed { token.finish() }
    }

    private func post(_ name: Notification.Name, _ attempt: Int, _ error: (any Error)?) {
        guard isTracked else { return }
        let contents = NetworkRequestNotification(request: request, attempt: attempt, activityID: id, error: error)
        NotificationCenter.default.post(name: name, object: manager, userInfo: contents.userInfo)
    }
}

extension TrackedRequest: ExchangeCaller {
    /// Limits the wait, because the default `timeoutIntervalForResource` would permit a wait of seven days.
    func exchangeWaits(_ giveUp: @escaping @Sendable () -> Void) {
        let now = policy.timing.now()
        let limit = policy.connectivityTimeout.map { time in
            Task {
                try? await policy.timing.sleep(time)
                if !Task.isCancelled { giveUp() }
            }
        }
        let (token, unneeded) = current.withLock { current in
            guard current.isUnderWay else { return (nil as NetworkTaskToken?, limit) }
            if current.offlineSince == nil { current.offlineSince = now }
            defer { current.limit = limit }
            return (current.token.take(), current.limit)
        }
        unneeded?.cancel()
        token?.finish()
        events.post(.waitingForConnectivity(error: URLError(.notConnectedToInternet)))
    }

    func exchangeContinues() {
        let limit = current.withLock { current in
            current.offlineSince = nil
            return current.limit.take()
        }
        limit?.cancel()
        setToken()
    }

    func report(_ progress: TransferProgress) -> Duration? { events.report(progress) }

    func reportRest() -> Duration? { events.reportRest() }
}
