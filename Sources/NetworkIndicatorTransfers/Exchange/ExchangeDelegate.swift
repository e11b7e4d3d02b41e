import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Forwards the delegate calls of tasks to their exchanges.
///
/// All tasks are data or upload tasks. After a failure, only Apple's download tasks keep their part. On Linux, a
/// download task can't be resumed, and its file isn't removed.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate {
    /// The exchanges of the tasks that are not complete, by the tasks' identifiers.
    let exchanges = Lock<[Int: Exchange]>([:])

    /// Forwards the calls of a task from now on.
    func add(_ task: URLSessionTask, _ exchange: Exchange) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    /// Returns the exchange of a task, unless the exchange has begun another task.
    func exchange(_ task: URLSessionTask) -> Exchange? {
        guard let exchange = exchanges.withLock({ $0[task.taskIdentifier] }), exchange.isPerforming(task) else {
            return nil
        }
        return exchange
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(task)?.noteSent(totalBytesSent, of: totalBytesExpectedToSend)
    }

    /// On Linux, nothing calls this method.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        exchange(task)?.noteOffline()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let present = exchange(task)
        let removed = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        present?.complete(task.response, error)
        withExtendedLifetime(removed) {}
    }
}
