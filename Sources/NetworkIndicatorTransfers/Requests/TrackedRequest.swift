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

    func reporting<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value {
        let result: Result<Value, any Error>
        do { result = .success(try await call()) } catch { result = .failure(error) }
        await events.postAndWait(.finished)
        return try result.get()
    }

    func load(_ body: RequestBody = .ofRequest) async throws -> (Data, URLResponse) {
        try await reporting {
            let receiver = DataReceiver()
            let response = try await run(body, into: receiver)
            if case .ofRequest = body { await reportTotal(of: receiver) }
            return (receiver.data, response)
        }
    }

    /// The total of a body without a usable length is known only at its end.
    func reportTotal(of receiver: any BodyReceiver) async {
        let progress = receiver.progress
        if progress.totalBytes != nil { return }
        let received = progress.completedBytes
        await events.postAndWait(.progress(TransferProgress(completedBytes: received, totalBytes: received)))
    }

    func run(_ body: RequestBody = .ofRequest, into receiver: any BodyReceiver) async throws -> URLResponse {
        let settings = SystemWire(session).settings
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
            let exchange = Exchange(
                of: timed, body, over: SystemWire(session), into: receiver, events, deadline: end,
                endsOffline: policy.mayRepeat(request))
            let outcome = try await perform(exchange, attempts)
            guard let failure = failure(outcome) else { return try outcome.get() }
            state.noteProgress(receiver.resumableLength, hasResponse: exchange.hasResponse)
            switch state.decide(after: failure, of: request, at: policy.timing.now(), before: end, policy) {
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
}

extension TrackedRequest {
    private var isTracked: Bool { request.url?.isNetworkUse != false }

    private func perform(_ exchange: Exchange, _ attempt: Int) async throws -> Result<URLResponse, URLError> {
        let label = label ?? request.diagnosticName
        let token =
            isTracked ? manager.beganNetworkTask(label: label, fileID: origin.fileID, line: origin.line) : nil
        post(.networkRequestDidStart, attempt, nil)
        let result: Result<URLResponse, any Error>
        do { result = .success(try await exchange.perform(attempt: attempt)) } catch { result = .failure(error) }
        token?.finish()
        let error: (any Error)? = if case .failure(let error) = result { error } else { nil }
        post(.networkRequestDidFinish, attempt, error)
        events.endAttempt()
        guard let error = error as? URLError else { return .success(try result.get()) }
        try Task.checkCancellation()
        return .failure(error)
    }

    private func post(_ name: Notification.Name, _ attempt: Int, _ error: (any Error)?) {
        guard isTracked else { return }
        let contents = NetworkRequestNotification(request: request, attempt: attempt, activityID: id, error: error)
        NotificationCenter.default.post(name: name, object: manager, userInfo: contents.userInfo)
    }
}
