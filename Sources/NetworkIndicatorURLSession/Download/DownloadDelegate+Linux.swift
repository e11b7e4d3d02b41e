#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// What a session's own delegate would have been asked: it is, on its own queue.
extension DownloadDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let answer: @Sendable (URLRequest?) -> Void = { request in
            Self.answer(task, of: session) {
                guard task.response === response else { return completionHandler(request) }
                // While it waited, URLSession gave the task up for a timeout, which it says nowhere else: it would trap.
                self.file(task)?.fail(URLError(.timedOut))
                task.cancelBeforeCompletion()
            }
        }
        guard let (principal, delegate) = delegate else { return answer(request) }
        principal.delegateQueue.addOperation {
            delegate.urlSession(
                principal, task: task, willPerformHTTPRedirection: response, newRequest: request,
                completionHandler: answer)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = { choice, credential in
            Self.answer(task, of: session) { completionHandler(choice, credential) }
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

    /// Gives URLSession an answer, unless the task has been cancelled meanwhile: then URLSession traps ("not waiting for
    /// it"). On the session's queue, as tasks are cancelled there.
    private static func answer(
        _ task: URLSessionTask, of session: URLSession, _ completionHandler: @escaping @Sendable () -> Void
    ) {
        let answer = BlockOperation {
            guard task.error == nil else { return }
            completionHandler()
            // Waits until the task has the answer: a cancellation may be next.
            _ = task.priority
        }
        session.delegateQueue.addOperation(answer)
    }
}
#endif
