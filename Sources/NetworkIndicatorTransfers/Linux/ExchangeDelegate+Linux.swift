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
        let redirect: URLRequest?
        do throws(URLError) {
            redirect = try Redirect.request(following: response, of: exchange.state.withLock(\.request))
        } catch {
            return exchange.end(.failure(error))
        }
        let decide: @Sendable (URLRequest?) -> Void = { request in
            Self.decide(task, of: session) {
                exchange.resume()
                if let request { exchange.follow(request) }
                completionHandler(nil)
            }
        }
        guard let redirect else { return decide(nil) }
        let isAsked = exchange.ask { principal, delegate in
            delegate.urlSession(
                principal, task: task, willPerformHTTPRedirection: response, newRequest: redirect,
                completionHandler: decide)
        }
        if !isAsked { decide(redirect) }
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

    func follow(_ next: URLRequest) {
        if let body = state.withLock({ $0.redirect(to: next) }) { return start(next, body) }
        let reason = "more than \(Redirect.limit) redirects"
        end(.failure(URLError(.httpTooManyRedirects, reason: reason, url: next.url)))
    }
}
#endif
