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

    /// Returns the exchange of a task, or `nil` if the exchange has started another task.
    func exchange(_ task: URLSessionTask) -> Exchange? {
        let exchange = exchanges.withLock { $0[task.taskIdentifier] }
        return exchange?.isPerforming(task) == true ? exchange : nil
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
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        if let exchange, exchange.isPerforming(task) { exchange.complete(task.response, error) }
    }
}
