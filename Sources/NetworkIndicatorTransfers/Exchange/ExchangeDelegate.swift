import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Downloads also use data tasks, because on Linux, a failed download task can't be resumed and leaves its temporary
/// file behind.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate {
    let exchanges = Lock<[Int: Exchange]>([:])

    func exchange(_ task: URLSessionTask) -> Exchange? {
        let exchange = exchanges.withLock { $0[task.taskIdentifier] }
        return exchange?.isPerforming(task) == true ? exchange : nil
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.receive(data)
    }

    /// A cache would store the contents of a file a second time.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(exchange(dataTask)?.receiver is DataReceiver ? proposedResponse : nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(task)?.noteSent(totalBytesSent, of: totalBytesExpectedToSend)
    }

    /// URLSession on Linux never calls this method.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        exchange(task)?.noteOffline()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.transport.remove(task)
        if let exchange, exchange.isPerforming(task) { exchange.complete(task.response, error) }
    }
}
