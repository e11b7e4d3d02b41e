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

    /// Makes this the delegate of a task.
    func add(_ task: URLSessionTask, _ exchange: Exchange) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
        #if !canImport(FoundationNetworking)
        task.delegate = self
        #endif
    }

    /// Returns the exchange of a task, unless the exchange has begun another task.
    func exchange(_ task: URLSessionTask) -> Exchange? {
        guard let exchange = exchanges.withLock({ $0[task.taskIdentifier] }), exchange.isPerforming(task) else {
            return nil
        }
        return exchange
    }

    /// Cancels a task, unless it is complete.
    func cancel(_ task: URLSessionTask, of session: URLSession) {
        #if canImport(FoundationNetworking)
        // A cancellation during the task's completion traps (swift-corelibs-foundation #3296). The completion is an
        // operation of the same serial queue, so it can't run during this one.
        let cancellation = BlockOperation { [self] in
            guard exchanges.withLock({ $0[task.taskIdentifier] }) != nil else { return }
            task.cancel()
            // The task's own queue performs the cancellation, in up to two steps. Reading the priority waits for one, so
            // the cancellation is complete when the next operation runs.
            for _ in 1...2 { _ = task.priority }
        }
        session.delegateQueue.addOperation(cancellation)
        #else
        task.cancel()
        #endif
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
        exchange(task)?.noteOffline()
    }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let present = exchange(task)
        let removed = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        present?.complete(task.response, error)
        withExtendedLifetime(removed) {}
    }
}
