import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes what data tasks receive to files.
///
/// Data tasks, because a download task keeps what it had when it fails only on Apple's platforms; on Linux it cannot be
/// resumed, and leaves its file behind.
final class DownloadDelegate: NSObject, URLSessionDataDelegate {
    typealias Handler = @Sendable (Result<(URL?, URLResponse), any Error>) -> Void

    private let transfers = Lock<[Int: (file: DownloadFile, handler: Handler)]>([:])

    /// Whose delegate is asked about challenges and redirects: a session that this is the delegate of stands in for it.
    let principal: Principal?

    struct Principal: Sendable {
        weak var session: URLSession?
    }

    init(standingInFor session: URLSession? = nil) {
        principal = session.map { Principal(session: $0) }
    }

    func add(_ task: URLSessionTask, file: DownloadFile, handler: @escaping Handler) {
        transfers.withLock { $0[task.taskIdentifier] = (file, handler) }
    }

    func file(_ task: URLSessionTask) -> DownloadFile? {
        transfers.withLock { $0[task.taskIdentifier]?.file }
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        file(dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard file(dataTask)?.receive(data) == true else { return }
        #if canImport(FoundationNetworking)
        dataTask.cancelBeforeCompletion()
        #else
        dataTask.cancel()
        #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let (file, handler) = transfers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        handler(file.end(task.response, error))
    }
}
