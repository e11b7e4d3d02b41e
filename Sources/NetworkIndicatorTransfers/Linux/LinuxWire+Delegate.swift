#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// The delegate of a sibling session. It passes redirects and challenges to the delegate of the caller's session, on
/// that session's delegate queue.
final class WireDelegate: NSObject, URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // URLSession delivers 1xx responses before the final response. They don't restart the timeout.
        if response.isFinal { session.wire(dataTask)?.receive(response, for: dataTask) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        session.wire(dataTask)?.receive(data, for: dataTask)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        session.wire(task)?.noteSent(totalBytesSent, of: totalBytesExpectedToSend, for: task)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let call = (session as? SiblingSession)?.calls.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        call?.wire.complete(task, error)
    }

    // MARK: Decisions of the caller's delegate

    /// The wire follows redirects with new tasks, because URLSession resolves relative redirects incorrectly
    /// (swift-corelibs-foundation #2838) and sends credentials to other hosts. URLSession also traps if several
    /// requests over one HTTP/2 connection are redirected at once (#5445).
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // URLSession traps if it receives a decision for a cancelled task.
        guard let wire = session.wire(task), wire.isPerforming(task), task.error == nil else { return }
        wire.redirect(task, response)
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
        guard let wire = session.wire(task), wire.isPerforming(task) else { return }
        wire.deliverHeldResponse(of: task)
        wire.deliver(.challenge)
        // URLSession traps if it receives a credential for another authentication method.
        let isSupported = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
        let decide: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = { choice, credential in
            // Tasks are cancelled on the session's delegate queue, so the check runs there too.
            session.delegateQueue.addOperation {
                guard task.error == nil else { return }
                wire.resumeClock()
                let isUsable =
                    switch choice {
                    case .useCredential: isSupported && credential != nil
                    case .performDefaultHandling: isSupported && challenge.proposedCredential != nil
                    case .cancelAuthenticationChallenge: true
                    default: false
                    }
                if isUsable {
                    completionHandler(choice, credential)
                    Self.finishStep(of: task)
                } else if let response = challenge.failureResponse {
                    // Without a usable credential, the default handling would hang until the timeout
                    // (swift-corelibs-foundation #5456), and `.useCredential` would trap.
                    wire.deliver(.declined(response))
                }
            }
        }
        let isAsked = wire.ask { principal, delegate in
            delegate.urlSession(principal, task: task, didReceive: challenge, completionHandler: decide)
        }
        if !isAsked { decide(.performDefaultHandling, nil) }
    }
}

extension URLSession {
    func wire(_ task: URLSessionTask) -> LinuxWire? {
        (self as? SiblingSession)?.calls.withLock { $0[task.taskIdentifier]?.wire }
    }
}
#endif
