#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// Passes redirects and challenges to the delegate of the caller's session, on that session's delegate queue. When
/// URLSession handles both correctly and ``SiblingSession`` is deleted, delete this file and ``Redirect``.
extension ExchangeDelegate {
    /// The exchange follows redirects with new tasks, because URLSession resolves relative redirects incorrectly
    /// (swift-corelibs-foundation #2838) and sends credentials to other hosts. URLSession also traps if several
    /// requests over one HTTP/2 connection are redirected at once (#5445).
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // URLSession traps if it receives a decision for a cancelled task.
        guard let exchange = exchange(task), task.error == nil else { return }
        exchange.redirect(task, response)
        completionHandler(nil)
        Self.finishStep(of: task)
    }

    /// Waits until a task's own queue has processed a decision or a step of a cancellation. Before that, the delegate
    /// queue must not run a cancellation or end.
    static func finishStep(of task: URLSessionTask) { _ = task.priority }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let exchange = exchange(task) else { return }
        exchange.beginHeldResponse()
        // URLSession traps if it receives a credential for another authentication method.
        let isSupported = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
        let decide: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = { choice, credential in
            // Tasks are cancelled on the session's delegate queue, so the check runs there too.
            session.delegateQueue.addOperation {
                guard task.error == nil else { return }
                exchange.resume()
                let isUsable =
                    switch choice {
                    case .useCredential: isSupported && credential != nil
                    case .performDefaultHandling: isSupported && challenge.proposedCredential != nil
                    case .cancelAuthenticationChallenge: true
                    default: false
                    }
                if isUsable {
                    if choice != .cancelAuthenticationChallenge {
                        _ = exchange.state.withLock { $0.move(to: .waiting) }
                    }
                    completionHandler(choice, credential)
                    Self.finishStep(of: task)
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
}

extension Exchange {
    fileprivate func ask(_ question: @escaping @Sendable (URLSession, any URLSessionTaskDelegate) -> Void) -> Bool {
        guard let delegate = session.delegate as? any URLSessionTaskDelegate else { return false }
        state.withLock { $0.clock.isPaused = true }
        session.delegateQueue.addOperation { [session] in question(session, delegate) }
        return true
    }

    /// The completion of the redirected task doesn't end the exchange.
    func redirect(_ task: URLSessionTask, _ response: HTTPURLResponse) {
        let request = state.withLock { state in
            _ = state.abandonTask()
            return state.request
        }
        do throws(URLError) {
            guard let next = try Redirect.request(following: response, of: request) else {
                return follow(nil, response)
            }
            let isAsked = ask { principal, delegate in
                delegate.urlSession(
                    principal, task: task, willPerformHTTPRedirection: response, newRequest: next
                ) { self.follow($0, response) }
            }
            if !isAsked { follow(next, response) }
        } catch {
            end(.failure(error))
        }
    }

    private func follow(_ next: URLRequest?, _ response: HTTPURLResponse) {
        resume()
        guard let next else { return end(.success(response)) }
        let body = state.withLock { state in
            let becomesGet = Redirect.becomesGet(after: response.statusCode, state.request.httpMethod)
            return state.redirect(to: next, keepsBody: !becomesGet)
        }
        if let body { return start(next, body) }
        let reason = "more than \(Redirect.limit) redirects"
        end(.failure(URLError(.httpTooManyRedirects, reason: reason, url: next.url)))
    }
}
#endif
