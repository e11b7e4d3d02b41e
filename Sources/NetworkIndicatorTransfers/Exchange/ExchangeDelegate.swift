import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Forwards the delegate calls of tasks to their exchanges.
///
/// All tasks are data or upload tasks, because only Apple's download tasks keep their part after a failure. On Linux, a
/// download task can't be resumed, and its file isn't removed.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate {
    /// The exchanges of the tasks that are not complete, by the tasks' identifiers.
    let exchanges = Lock<[Int: Exchange]>([:])

    /// Registers the exchange that receives the delegate calls for a task.
    func add(_ task: URLSessionTask, _ exchange: Exchange) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    /// Returns the exchange of a task, or `nil` if the exchange has started another task.
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

    /// Called only on Apple's platforms. URLSession on Linux never calls this method.
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
