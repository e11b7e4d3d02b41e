import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hands what URLSession tells to the transfers.
final class TransferDelegate: NSObject, URLSessionDataDelegate {
    let queue = DelegateQueue()
    /// By their tasks' identifiers, from before a task starts to its end.
    private let transfers = Lock<[Int: Transfer]>([:])

    func add(_ transfer: Transfer, for task: URLSessionTask) {
        transfers.withLock { $0[task.taskIdentifier] = transfer }
    }

    private func transfer(_ task: URLSessionTask) -> Transfer? {
        transfers.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        transfer(dataTask)?.receive(response)
        completionHandler(.allow)  // Linux would not listen to anything else
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if transfer(dataTask)?.receive(data) == false { cancel(dataTask) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
        completionHandler(.performDefaultHandling, nil)
        #else
        // The default would wait for credentials that nobody gives until the time is out. The status is known already.
        queue.withoutLimit { completionHandler(.cancelAuthenticationChallenge, nil) }
        #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        transfer?.complete(task.response, error)
    }

    /// Cancels a task that has not completed, on the delegate queue.
    private func cancel(_ task: URLSessionTask) {
        guard task.error == nil, task.state == .running else { return }
        queue.withoutLimit {
            task.cancel()
            #if !canImport(Darwin)
            // A cancel that meets the end of the transfer on the session's queue crashes: wait until it has been dealt
            // with there. Reading the priority goes through that queue.
            while task.error == nil { _ = task.priority }
            _ = task.priority
            #endif
        }
    }
}
