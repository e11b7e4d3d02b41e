#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// Passes redirects and challenges to the delegate of the caller's session, on that session's delegate queue.
extension ExchangeDelegate {
    /// Follows redirects in place of URLSession. URLSession resolves relative addresses incorrectly, sends credentials
    /// to other hosts, and crashes if several HTTP/2 requests are redirected at once (swift-corelibs-foundation #5445).
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
                    // Without credentials, the default handling would wait for the timeout (swift-corelibs-foundation
                    // #5456), and `.useCredential` would trap.
                    exchange.end(exchange.checked(response))
                }
            }
        }
        let isAsked = exchange.ask { principal, delegate in
            delegate.urlSession(principal, task: task, didReceive: challenge, completionHandler: decide)
        }
        if !isAsked { decide(.performDefaultHandling, nil) }
    }

    /// Whether URLSession accepts credentials for a challenge. URLSession traps if it receives credentials for a method
    /// other than Basic.
    private static func isSupported(_ challenge: URLAuthenticationChallenge) -> Bool {
        challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
    }

    /// Passes a decision to URLSession unless the task was cancelled. URLSession traps at a decision for a cancelled
    /// task ("not waiting for it"). The check runs on the session's queue, because tasks are cancelled there.
    private static func decide(
        _ task: URLSessionTask, of session: URLSession, _ completionHandler: @escaping @Sendable () -> Void
    ) {
        let decision = BlockOperation {
            guard task.error == nil else { return }
            completionHandler()
            // Reading the priority waits until the task has processed the decision. A cancellation may follow
            // immediately.
            _ = task.priority
        }
        session.delegateQueue.addOperation(decision)
    }
}

/// The redirects and challenges that the caller's delegate decides about.
extension Exchange {
    /// Passes a question to the delegate of the caller's session, on that session's delegate queue. The timeout is
    /// paused until ``resume()``.
    ///
    /// - Returns: Whether the caller's session has a delegate for tasks.
    func ask(_ question: @escaping @Sendable (URLSession, any URLSessionTaskDelegate) -> Void) -> Bool {
        let session = call.session
        guard let delegate = session.delegate as? any URLSessionTaskDelegate else { return false }
        state.withLock { $0.clock.isPaused = true }
        session.delegateQueue.addOperation { question(session, delegate) }
        return true
    }

    /// Starts the request that follows a redirect.
    func follow(_ next: URLRequest) {
        if let body = state.withLock({ $0.redirect(to: next) }) { return start(next, body) }
        let reason = "more than \(Redirect.limit) redirects"
        end(.failure(URLError(.httpTooManyRedirects, reason: reason, url: next.url)))
    }
}
#endif
