import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Makes one attempt at a request, including redirects.
struct Transport: Sendable {
    /// The body of the request.
    enum Body: Sendable {
        /// The request's own body, if any.
        case ofRequest
        case data(Data)
        case file(URL)
    }

    /// The caller's session.
    let session: URLSession
    let receiver: any BodyReceiver
    /// How long the attempt may take.
    let limit: Duration
    var body = Body.ofRequest
    var onSend: (@Sendable (TransferProgress) -> Void)?
    /// Receives `true` when the system begins to wait for a network, and `false` with the first sign of life after that.
    var onWait: (@Sendable (Bool) -> Void)?

    /// - Returns: The first response that isn't a redirect, or a redirect that the caller's delegate refuses.
    /// - Throws: A `URLError`, an error of the receiver, or `CancellationError`.
    func perform(_ request: URLRequest) async throws -> URLResponse {
        var request = session.settings.applied(to: request)
        request.url = request.url?.withLowercaseScheme
        if let error = request.url?.unusable { throw error }
        #if canImport(FoundationNetworking)
        let sibling = SiblingSessions.shared.sibling(of: session)
        for (name, value) in sibling.additionalHeaders where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        do {
            return try await follow(request, in: sibling)
        } catch let error as URLError where [.timedOut, .networkConnectionLost].contains(error.code) {
            // The connection may stay silent, so the next attempt must not use it.
            SiblingSessions.shared.retire(sibling, of: session)
            throw error
        }
        #else
        let delegate = ExchangeDelegate()
        let exchange = Exchange(request, self, queue: session.delegateQueue, limit: limit)
        return try await exchange.run {
            let task = makeTask(exchange.request, body, in: session)
            task.delegate = delegate
            delegate.add(task, exchange)
            return task
        }.response
        #endif
    }

    private func makeTask(_ request: URLRequest, _ body: Body, in session: URLSession) -> URLSessionTask {
        switch body {
        case .ofRequest: session.dataTask(with: request)
        case .data(let data): session.uploadTask(with: request, from: data)
        case .file(let url): session.uploadTask(with: request, fromFile: url)
        }
    }

    #if canImport(FoundationNetworking)
    private func follow(_ request: URLRequest, in sibling: SiblingSession) async throws -> URLResponse {
        let start = ContinuousClock.now
        var (request, body) = (request, body)
        for _ in 0...Redirect.limit {
            let exchange = Exchange(
                request, self, queue: sibling.session.delegateQueue, limit: limit - start.duration(to: .now))
            // The exchange has its own timeout. This one is longer than any, but URLSession can compute with it.
            var untimed = request
            untimed.timeoutInterval = 2e9
            let outcome = try await exchange.run {
                let task = makeTask(untimed, body, in: sibling.session)
                sibling.delegate.add(task, exchange)
                return task
            }
            guard let next = outcome.next else { return outcome.response }
            if next.httpMethod != request.httpMethod { body = .ofRequest }
            if let error = next.url?.unusable { throw error }
            request = next
        }
        throw URLError(
            .httpTooManyRedirects, reason: "more than \(Redirect.limit) redirects", url: request.url)
    }
    #endif
}
