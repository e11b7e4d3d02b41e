import Foundation
import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor
struct Downloader {
    private let session: URLSession
    private var policy = TrackedRetryPolicy.retryingServerErrors
    private var options = DownloadOptions()
    private let jobs: Int

    init(_ arguments: Arguments) {
        policy.maximumRetries = arguments.retries
        policy.connectivityTimeout = arguments.waitsForConnectivity ? nil : .zero
        options.replacesDestination = arguments.replacesFiles
        jobs = arguments.jobs
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = TimeInterval(arguments.timeout)
        configuration.httpMaximumConnectionsPerHost = jobs
        // If a response is compressed, `Content-Length` and ranges refer to the compressed body, but URLSession
        // delivers the decompressed body.
        configuration.httpAdditionalHeaders = ["Accept-Encoding": "identity", "User-Agent": "fetch"]
        session = URLSession(configuration: configuration)
    }

    func fetch(_ downloads: [Download], _ report: Report) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, download) in downloads.enumerated() {
                if index >= jobs { await group.next() }
                group.addTask { await fetch(download, report) }
            }
        }
    }

    private func fetch(_ download: Download, _ report: Report) async {
        if Task.isCancelled { return }
        let (events, continuation) = AsyncStream.makeStream(of: AttemptEvent.self)
        let reader = Task {
            for await event in events { report.note(event, of: download) }
        }
        let start = ContinuousClock.now
        download.state = .active
        var failure: (any Error)?
        do {
            _ = try await session.trackedDownload(
                from: download.url, to: download.destination, options: options, policy: policy, label: download.path
            ) { event in
                download.transfer.receive(event)
                switch event {
                case .progress, .started(attempt: 1), .receiving(_, isVerifiable: true), .finished: break
                default: continuation.yield(event)
                }
            }
        } catch {
            failure = error
        }
        continuation.finish()
        await reader.value
        report.end(download, failure, start.duration(to: .now))
    }
}
