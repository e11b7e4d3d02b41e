#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// Passes redirects and challenges to the delegate of the caller's session, on that session's delegate queue. When
/// URLSession handles both correctly and ``SiblingSessions`` is deleted, delete this file and ``Redirect``.
extension ExchangeDelegate {
    /// The exchange follows redirects with new tasks, because URLSession resolves relative redirects incorrectly
    /// (swift-corelibs-foundation #2838) and sends credentials to other hosts. URLSession also traps if several
    /// requests over one HTTP/2 connection are redirected at once (#5445).
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let exchange = exchange(task) else { return }
        exchange.redirect(task, response) { next in
            Self.decide(task, of: session) {
                exchange.resume()
                if let next { exchange.follow(next, response) }
                completionHandler(nil)
            }
        }
    }

    /// If the delegate of the caller's session refuses this redirect, the response has no body.
    func follow(_ response: HTTPURLResponse, insteadOf task: URLSessionTask) {
        guard let exchange = exchange(task) else { return }
        _ = exchange.state.withLock { $0.abandonTask() }
        exchange.redirect(task, response) { next in
            exchange.resume()
            if let next { return exchange.follow(next, response) }
            exchange.end(.success(response))
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let exchange = exchange(task) else { return }
        let decide: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = { choice, credential in
            Self.decide(task, of: session) {
                exchange.resume()
                let isUsable =
                    switch choice {
                    case .useCredential: credential != nil && Self.isSupported(challenge)
                    case .performDefaultHandling: challenge.proposedCredential != nil && Self.isSupported(challenge)
                    case .cancelAuthenticationChallenge: true
                    default: false
                    }
                if isUsable {
                    completionHandler(choice, credential)
                } else if let response = challenge.failureResponse {
                    // Without a usable credential, the default handling would hang until the timeout
                    // (swift-corelibs-foundation #5456), and `.useCredential` would trap.
                    exchange.end(exchange.checked(response))
                }
            }
        }
        let isAsked = exchange.ask { principal, delegate in
            delegate.urlSession(principal, task: task, didReceive: challenge, completionHandler: decide)
        }
        if !isAsked { decide(.performDefaultHandling, nil) }
    }

    /// URLSession traps if it receives a credential for an authentication method other than Basic.
    private static func isSupported(_ challenge: URLAuthenticationChallenge) -> Bool {
        challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
    }

    /// URLSession traps if it receives a decision for a cancelled task. Tasks are cancelled on the session's delegate
    /// queue, so the check runs there too.
    private static func decide(
        _ task: URLSessionTask, of session: URLSession, _ completionHandler: @escaping @Sendable () -> Void
    ) {
        let decision = BlockOperation {
            guard task.error == nil else { return }
            completionHandler()
            // Reading the priority waits until the task has processed the decision. Before that, the delegate queue
            // must not run a cancellation.
            _ = task.priority
        }
        session.delegateQueue.addOperation(decision)
    }
}

extension Exchange {
    func ask(_ question: @escaping @Sendable (URLSession, any URLSessionTaskDelegate) -> Void) -> Bool {
        let session = call.session
        guard let delegate = session.delegate as? any URLSessionTaskDelegate else { return false }
        state.withLock { $0.clock.isPaused = true }
        session.delegateQueue.addOperation { question(session, delegate) }
        return true
    }

    /// Calls `decide` with the request to send next, or with `nil` if the redirect isn't followed.
    func redirect(
        _ task: URLSessionTask, _ response: HTTPURLResponse, _ decide: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let next: URLRequest?
        do throws(URLError) {
            next = try Redirect.request(following: response, of: state.withLock(\.request))
        } catch {
            return end(.failure(error))
        }
        guard let next else { return decide(nil) }
        let isAsked = ask { principal, delegate in
            delegate.urlSession(
                principal, task: task, willPerformHTTPRedirection: response, newRequest: next,
                completionHandler: decide)
        }
        if !isAsked { decide(next) }
    }

    func follow(_ next: URLRequest, _ response: HTTPURLResponse) {
        let body = state.withLock { state in
            // The completion of the redirected task must not end the exchange.
            _ = state.abandonTask()
            let becomesGet = Redirect.becomesGet(after: response.statusCode, state.request.httpMethod)
            return state.redirect(to: next, keepsBody: !becomesGet)
        }
        if let body { return start(next, body) }
        let reason = "more than \(Redirect.limit) redirects"
        end(.failure(URLError(.httpTooManyRedirects, reason: reason, url: next.url)))
    }
}
#endif
