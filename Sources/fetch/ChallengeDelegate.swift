import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What sessions ask when a server wants to know who is there.
final class ChallengeDelegate: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
        completionHandler(.performDefaultHandling, nil)
        #else
        // The default would wait for credentials that nobody gives until the time is out. The status is known already.
        completionHandler(.cancelAuthenticationChallenge, nil)
        #endif
    }
}
