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
        let result = await Result(call)
        await events.postAndWait(.finished)
        return try result.get()
    }

    func load(_ body: RequestBody = .ofRequest) async throws -> (Data, URLResponse) {
        try await reporting {
            let receiver = DataReceiver(limit: policy.maximumDataBytes)
            let response = try await run(body, into: receiver)
            return (receiver.data, response)
        }
    }

    func run(_ body: RequestBody = .ofRequest, into receiver: any BodyReceiver) async throws -> URLResponse {
        let settings = SessionSettings(session.configuration)
        if let identifier = settings.identifier {
            // Background sessions don't support task delegates.
            let reason = "The session “\(identifier)” is a background session, which tracked requests can't use."
            throw fail(URLError(.unknown, reason: reason, url: nil), 0)
        }
        let timed = settings.applied(to: request)
        let end = events.now() + settings.resourceTimeout
        var state = RetryState()
        var attempts = 0
        var isFresh = false
        while true {
            try Task.checkCancellation()
            attempts += 1
            let exchange = Exchange(
                of: timed, body, over: makeWire(for: timed, in: session, isFresh: isFresh), into: receiver, events,
                deadline: end, limit: settings.resourceTimeout, endsOffline: policy.mayRepeat(request))
            let result = await perform(exchange, attempts)
            guard let failure = failure(result) else { return try result.get() }
            try Task.checkCancellation()
            // The next attempt must not use the same connection, which may no longer respond.
            if case .transport(URLError.timedOut) = failure { isFresh = true }
            if case .transport(URLError.networkConnectionLost) = failure { isFresh = true }
            state.noteProgress(receiver.resumableLength, hasResponse: exchange.hasResponse)
            switch (state.decide(after: failure, of: request, at: events.now(), before: end, policy), failure) {
            case (.retry(let delay), _):
                await events.postAndWait(.willRetry(attempt: attempts + 1, failure: failure, delay: delay))
                try await policy.clock.sleep(for: delay)
            case (.waitForConnectivity(let error, let limit), _):
                await events.postAndWait(.waitingForConnectivity(error: error))
                try await policy.waitForConnectivity(atMost: limit)
            case (.expire(let original, let time), _): throw fail(original, attempts, offline: time)
            case (.stop, .transport(let error)): throw fail(error, attempts)
            case (.stop, .status): return try result.get()
            }
        }
    }

    private func fail(_ error: URLError, _ attempts: Int, offline: Duration? = nil) -> NetworkRequestError {
        NetworkRequestError(underlyingError: error, attemptCount: attempts, offlineTime: offline, url: request.url)
    }

    /// `nil` after a success, and after an error that ends the call.
    private func failure(_ result: Result<URLResponse, any Error>) -> AttemptFailure? {
        switch result {
        case .failure(let error): return (error as? URLError).map { .transport($0) }
        case .success(let response):
            guard let response = response as? HTTPURLResponse, policy.retriedStatusCodes.contains(response.statusCode)
            else { return nil }
            let value = response.value(forHTTPHeaderField: "Retry-After")
            let delay = value.flatMap { RetryAfter.delay($0, at: Date()) }
            return .status(response.statusCode, retryAfter: delay)
        }
    }

    private func perform(_ exchange: Exchange, _ attempt: Int) async -> Result<URLResponse, any Error> {
        let isTracked = request.url?.isNetworkUse != false && SessionTracking.isEnabled
        let label = [label, request.diagnosticName].compactMap(\.self)
            .joined(separator: String(NetworkTaskInfo.separator))
        let token =
            isTracked ? manager.beganNetworkTask(label: label, fileID: origin.fileID, line: origin.line) : nil
        func post(_ name: Notification.Name, _ error: (any Error)?) {
            guard isTracked else { return }
            let contents = NetworkRequestNotification(request: request, attempt: attempt, activityID: id, error: error)
            NotificationCenter.default.post(name: name, object: manager, userInfo: contents.userInfo)
        }
        post(.networkRequestDidStart, nil)
        let result = await Result { try await exchange.perform(attempt: attempt) }
        token?.finish()
        post(.networkRequestDidFinish, result.error)
        return result
    }
}

extension Result where Success: Sendable, Failure == any Error {
    init(_ call: () async throws -> Success) async {
        do { self = .success(try await call()) } catch { self = .failure(error) }
    }

    fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
