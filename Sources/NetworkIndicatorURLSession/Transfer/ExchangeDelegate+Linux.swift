#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// Passes redirects and challenges to the delegate of the caller's session, on its queue.
extension ExchangeDelegate {
    /// Follows redirects instead of URLSession. URLSession resolves relative addresses wrongly, sends credentials to
    /// other hosts, and crashes if several HTTP/2 requests are redirected at once (swift-corelibs-foundation #5445).
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let exchange = exchange(task) else { return }
        let answer: @Sendable (URLRequest?) -> Void = { request in
            Self.answer(task, of: session) {
                guard task.response === response else {
                    if let request { exchange.decide(.success(Exchange.Outcome(response: response, next: request))) }
                    return completionHandler(nil)
                }
                // Meanwhile URLSession has ended the task after a timeout. It doesn't report the timeout, and would
                // trap at the completion handler.
                exchange.end(.failure(URLError(.timedOut).described(for: exchange.request)))
            }
        }
        let redirect: URLRequest?
        do throws(URLError) {
            redirect = try Redirect.request(following: response, of: exchange.request)
        } catch {
            exchange.decide(.failure(error))
            return answer(nil)
        }
        guard let redirect, let (principal, delegate) = delegate else { return answer(redirect) }
        principal.delegateQueue.addOperation {
            delegate.urlSession(
                principal, task: task, willPerformHTTPRedirection: response, newRequest: redirect,
                completionHandler: answer)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let exchange = exchange(task) else { return }
        let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = { choice, credential in
            Self.answer(task, of: session) {
                if choice == .performDefaultHandling, challenge.proposedCredential == nil {
                    // Without credentials, the default handling would wait for the timeout (swift-corelibs-foundation
                    // #5456).
                    exchange.endWithoutCredentials(challenge.failureResponse)
                } else {
                    completionHandler(choice, credential)
                }
            }
        }
        guard let (principal, delegate) = delegate else { return answer(.performDefaultHandling, nil) }
        principal.delegateQueue.addOperation {
            delegate.urlSession(principal, task: task, didReceive: challenge, completionHandler: answer)
        }
    }

    private var delegate: (session: URLSession, delegate: any URLSessionTaskDelegate)? {
        guard let session = principal?.session, let delegate = session.delegate as? any URLSessionTaskDelegate else {
            return nil
        }
        return (session, delegate)
    }

    /// Passes an answer to URLSession, unless the task has been cancelled, because URLSession would then trap ("not
    /// waiting for it"). This runs on the session's queue, where tasks are cancelled.
    private static func answer(
        _ task: URLSessionTask, of session: URLSession, _ completionHandler: @escaping @Sendable () -> Void
    ) {
        let answer = BlockOperation {
            guard task.error == nil else { return }
            completionHandler()
            // This waits until the task has processed the answer, because a cancellation may follow.
            _ = task.priority
        }
        session.delegateQueue.addOperation(answer)
    }
}
#endif
