import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Streams downloads to disk with URLSession. One for the whole program.
///
/// Each download has a URLSession to itself while it runs, and leaves it, with its connections, to a later one. On Linux
/// a session has one thread for all its tasks: a fast download that waits for the disk there would hold up all others,
/// until their time is out.
final class DownloadSession: Sendable {
    /// A URLSession and its delegate; never invalidated, as a task that is still going out would trap.
    private struct Lane: Sendable {
        let session: URLSession
        let delegate: TransferDelegate
    }

    private let timeout: Int
    private let files: TemporaryFiles
    private let idle = Lock<[Lane]>([])

    /// - Parameter timeout: How many seconds a server may be silent.
    init(timeout: Int, files: TemporaryFiles) {
        self.timeout = timeout
        self.files = files
    }

    /// Fetches a file.
    ///
    /// - Parameter completion: Called once, on any thread, when the file is there under its name or nothing of it is.
    func start(
        _ download: Download, completion: @escaping @Sendable (Result<Download.Outcome, DownloadError>) -> Void
    ) {
        do {
            let file = try PartialFile(
                name: download.name, in: download.directory, replaces: download.replaces, files: files)
            let lane = idle.withLock { $0.popLast() } ?? makeLane()
            let task = lane.session.dataTask(with: download.url)
            let transfer = Transfer(file: file, timeout: timeout) { [idle] result in
                idle.withLock { $0.append(lane) }
                completion(result)
            }
            lane.delegate.add(transfer, for: task)
            task.resume()
        } catch {
            completion(.failure(.file(error)))
        }
    }

    private func makeLane() -> Lane {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.timeoutIntervalForRequest = TimeInterval(timeout)
        // The file as it is stored, of the length that was announced.
        configuration.httpAdditionalHeaders = ["Accept-Encoding": "identity", "User-Agent": "fetch/1.0"]
        let delegate = TransferDelegate()
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
        return Lane(session: session, delegate: delegate)
    }
}
