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
            let (response, attempts) = try await run(body, into: receiver)
            guard let statuses = policy.acceptedStatusCodes, let http = response as? HTTPURLResponse,
                !statuses.contains(http.statusCode)
            else { return (receiver.data, response) }
            let error = URLError(.badServerResponse, reason: HTTPURLResponse.reason(http.statusCode), url: http.url)
            throw fail(error, attempts, response: http)
        }
    }

    /// - Returns: The response, and the number of attempts.
    func run(
        _ body: RequestBody = .ofRequest, into receiver: any BodyReceiver
    ) async throws -> (URLResponse, attempts: Int) {
        let configuration = session.configuration
        if let identifier = configuration.identifier {
            // Background sessions don't support task delegates.
            let reason = "The session “\(identifier)” is a background session, which tracked requests can't use."
            throw fail(URLError(.unknown, reason: reason, url: nil), 0)
        }
        let timed = request.applying(configuration)
        let limit = configuration.resourceTimeout
        let end = events.now() + (limit ?? .longest)
        var state = RetryState()
        var attempts = 0
        var needsNewConnection = false
        while true {
            try Task.checkCancellation()
            attempts += 1
            let exchange = Exchange(
                of: timed, body, over: makeWire(for: timed, in: session, isFresh: needsNewConnection),
                into: receiver, events, endsOffline: policy.mayRepeat(request))
            if let limit {
                policy.clock.schedule(after: end - events.now(), on: .global()) { [weak exchange, url = request.url] in
                    let reason = "not complete within \(limit.text())"
                    exchange?.end(URLError(.timedOut, reason: reason, url: url))
                }
            }
            let result = await perform(exchange, attempts)
            guard let failure = failure(result) else { return (try result.get(), attempts) }
            try Task.checkCancellation()
            // The connection may no longer respond.
            if case .transport(let error) = failure, [.timedOut, .networkConnectionLost].contains(error.code) {
                needsNewConnection = true
            }
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
            case (.stop, .status): return (try result.get(), attempts)
            }
        }
    }

    private func fail(
        _ error: URLError, _ attempts: Int, offline: Duration? = nil, response: HTTPURLResponse? = nil
    ) -> NetworkRequestError {
        NetworkRequestError(
            underlyingError: error, attemptCount: attempts, offlineTime: offline, url: request.url,
            response: response)
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
            NotificationCenter.default.post(
                name: name, object: manager, userInfo: [NetworkRequestNotification.key: contents])
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
