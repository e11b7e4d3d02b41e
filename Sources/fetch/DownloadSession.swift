import Foundation
import NetworkIndicator
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Streams downloads to disk with URLSession, with the retries of a policy. One for the whole program.
final class DownloadSession: Sendable {
    private let timeout: Int
    private let policy: RetryPolicy
    private let files: TemporaryFiles
    private let session: URLSession

    init(_ arguments: Arguments, files: TemporaryFiles) {
        timeout = arguments.timeout
        var policy = RetryPolicy.retryingServerErrors
        policy.maximumRetries = arguments.retries
        policy.connectivityTimeout = arguments.waitsForConnectivity ? nil : .zero
        self.policy = policy
        self.files = files

        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.timeoutIntervalForRequest = TimeInterval(timeout)
        configuration.httpMaximumConnectionsPerHost = arguments.jobs
        // The file as it is stored, of the length that was announced.
        configuration.httpAdditionalHeaders = ["Accept-Encoding": "identity", "User-Agent": "fetch/1.0"]
        session = URLSession(configuration: configuration, delegate: ChallengeDelegate(), delegateQueue: nil)
    }

    /// Fetches a file.
    ///
    /// - Parameters:
    ///   - token: A network task while an attempt is made, and none during the waits in between.
    ///   - onEvent: Hears of attempts and waits, in order, on any thread.
    /// - Returns: When the file is there under its name, or nothing of it is.
    func fetch(
        _ download: Download, token: DownloadOperation, onEvent: @escaping @Sendable (DownloadEvent) -> Void
    ) async -> Result<Download.Outcome, DownloadError> {
        let target: DownloadTarget
        do {
            target = try DownloadTarget(download, files: files, retriedStatusCodes: policy.retriedStatusCodes)
        } catch {
            return .failure(.file(error))
        }
        let counts = Lock(Counts())
        do {
            let (url, response) = try await session.trackedDownload(
                for: URLRequest(url: download.url), policy: policy, manager: .shared, token: token,
                label: download.label, makeFile: { try target.file(for: $0) }
            ) { [self] event in
                if let event = translate(event, target, counts) { onEvent(event) }
            }
            return .success(try target.commit(url, response))
        } catch {
            let reason = target.reason(error, timeout)
            let attempts = counts.withLock(\.attempts)
            return .failure(attempts > 1 ? .repeated(reason, attempts: attempts) : reason)
        }
    }

    private struct Counts {
        var attempts = 0
        var retries = 0
        var isOffline = false
    }

    private func translate(_ event: AttemptEvent, _ target: DownloadTarget, _ counts: Lock<Counts>) -> DownloadEvent? {
        switch event {
        case .started(let attempt):
            target.begin()
            counts.withLock { $0.attempts = attempt }
            return .started
        case .willRetry(_, let failure, let delay):
            let retries = counts.withLock { counts in
                counts.isOffline = false
                counts.retries += 1
                return counts.retries
            }
            return .willRetry(
                attempt: retries + 1, of: policy.maximumRetries + 1, delay: delay,
                reason: target.reason(failure, timeout))
        case .waitingForConnectivity(let error):
            let isFirst = counts.withLock { counts in
                defer { counts.isOffline = true }
                return !counts.isOffline
            }
            return .waitingForConnectivity(reason: target.reason(error, timeout), isFirst: isFirst)
        case .progress:
            return nil
        case .finished:
            target.end()
            return nil
        }
    }
}
