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
    private let exchanges = Lock<[Int: Exchange]>([:])

    /// The caller's session, whose delegate decides about challenges and redirects.
    let principal: Principal?

    struct Principal: Sendable {
        weak var session: URLSession?
    }

    init(standingInFor session: URLSession? = nil) {
        principal = session.map { Principal(session: $0) }
    }

    func add(_ task: URLSessionTask, _ exchange: Exchange) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    func exchange(_ task: URLSessionTask) -> Exchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
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

    #if !canImport(FoundationNetworking)
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        exchange(task)?.noteWaiting()
    }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(task.response, error)
    }
}
