#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

@testable import NetworkIndicatorTransfers

/// Passes events to the delegate of each task, as URLSession does on Apple's systems.
///
/// URLSession on Linux itself passes redirects to it, and everything else to the session's delegate.
final class TaskDelegates: NSObject, TaskDelegating {
    /// The session's delegate is also that of a task without one.
    private func delegate(of task: URLSessionTask) -> (any URLSessionDataDelegate)? {
        task.delegate === self ? nil : task.delegate as? any URLSessionDataDelegate
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        delegate(of: dataTask)?.urlSession(
            session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        delegate(of: dataTask)?.urlSession(session, dataTask: dataTask, didReceive: data)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse response: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        delegate(of: dataTask)?.urlSession(
            session, dataTask: dataTask, willCacheResponse: response, completionHandler: completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend total: Int64
    ) {
        delegate(of: task)?.urlSession(
            session, task: task, didSendBodyData: count, totalBytesSent: totalBytesSent,
            totalBytesExpectedToSend: total)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        delegate(of: task)?.urlSession(session, task: task, didCompleteWithError: error)
    }
}
#endif
