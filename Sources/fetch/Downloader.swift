import Foundation
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fetches files with URLSession and retries. The program has one downloader.
struct Downloader: Sendable {
    let policy: TrackedRetryPolicy
    private let headers: [Arguments.Header]
    private let options: DownloadOptions
    private let session: URLSession

    init(_ arguments: Arguments) {
        var policy = TrackedRetryPolicy.retryingServerErrors
        policy.maximumRetries = arguments.retries
        policy.connectivityTimeout = arguments.waitsForConnectivity ? nil : .zero
        self.policy = policy

        var options = DownloadOptions()
        options.replacesDestination = arguments.replacesFiles
        options.keepsPartialFile = arguments.continuesFiles
        options.maximumBytes = arguments.maximumSize.map(Int64.init)
        self.options = options

        headers = arguments.headers
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.timeoutIntervalForRequest = TimeInterval(arguments.timeout)
        configuration.httpMaximumConnectionsPerHost = arguments.jobs
        // A body that URLSession decompresses has neither the announced length nor the bytes that a range counts.
        configuration.httpAdditionalHeaders = ["Accept-Encoding": "identity", "User-Agent": arguments.userAgent]
        session = URLSession(
            configuration: configuration, delegate: RedirectDelegate(headers: headers), delegateQueue: nil)
    }

    /// Fetches files, a limited number of them at once.
    ///
    /// - Parameter onEvent: Receives the events of each transfer in order, on any thread.
    func fetch(
        _ transfers: [Transfer], atOnce jobs: Int, onEvent: @escaping @Sendable (Transfer, Transfer.Event) -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, transfer) in transfers.enumerated() {
                if index >= jobs { await group.next() }
                group.addTask {
                    guard !Task.isCancelled else { return }
                    let start = ContinuousClock.now
                    let result: Result<URLResponse, any Error>
                    do {
                        result = .success(
                            try await fetch(transfer.download) { event in
                                if let event = transfer.note(event) { onEvent(transfer, event) }
                            })
                    } catch {
                        result = .failure(error)
                    }
                    transfer.meter.finish()
                    onEvent(transfer, .ended(result, time: start.duration(to: .now)))
                }
            }
        }
    }

    /// Fetches a file.
    ///
    /// - Parameter onEvent: Receives attempts, waits and progress, in order, on any thread.
    /// - Returns: The response, when the file is at its destination.
    private func fetch(
        _ download: Download, onEvent: @escaping @Sendable (AttemptEvent) -> Void
    ) async throws -> URLResponse {
        var request = URLRequest(url: download.url)
        for header in headers { request.addValue(header.value, forHTTPHeaderField: header.name) }
        var options = options
        options.partialFile = download.partialFile(isKept: options.keepsPartialFile)
        let (file, response) = try await session.trackedDownload(
            for: request, to: download.destination, options: options, policy: policy, label: download.label,
            onEvent: onEvent)
        ModificationTime.set(from: response, on: file)
        return response
    }
}
