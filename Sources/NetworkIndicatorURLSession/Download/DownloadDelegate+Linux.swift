#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// What a session's own delegate would have been asked.
extension DownloadDelegate {
    private var delegate: (session: URLSession, delegate: any URLSessionTaskDelegate)? {
        guard let session = principal?.session, let delegate = session.delegate as? any URLSessionTaskDelegate else {
            return nil
        }
        return (session, delegate)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let (session, delegate) = delegate else { return completionHandler(request) }
        delegate.urlSession(
            session, task: task, willPerformHTTPRedirection: response, newRequest: request,
            completionHandler: completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let (session, delegate) = delegate else { return completionHandler(.performDefaultHandling, nil) }
        delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
    }
}
#endif
