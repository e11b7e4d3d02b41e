import Foundation
import NetworkIndicatorTransfers
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fetches files with URLSession and retries. The program has one downloader.
struct Downloader: Sendable {
    /// How all files are written.
    let options: DownloadOptions
    private let arguments: Arguments
    private let policy: TrackedRetryPolicy
    private let session: URLSession

    init(_ arguments: Arguments) {
        self.arguments = arguments
        var policy = TrackedRetryPolicy.retryingServerErrors
        policy.maximumRetries = arguments.retries
        policy.connectivityTimeout = arguments.waitsForConnectivity ? nil : .zero
        self.policy = policy

        var options = DownloadOptions()
        options.replacesDestination = arguments.replacesFiles
        options.keepsPartialFile = arguments.keepsParts
        options.stream = arguments.isStreamed ? STDOUT_FILENO : nil
        options.startsOver = !arguments.continuesFiles
        options.maximumBytes = arguments.maximumSize.map(Int64.init)
        self.options = options

        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.timeoutIntervalForRequest = TimeInterval(arguments.timeout)
        if let seconds = arguments.maximumTime { configuration.timeoutIntervalForResource = TimeInterval(seconds) }
        configuration.httpMaximumConnectionsPerHost = arguments.jobs
        // A body that URLSession decompresses has neither the announced length nor the bytes that a range counts.
        configuration.httpAdditionalHeaders = ["Accept-Encoding": "identity", "User-Agent": arguments.userAgent]
        session = URLSession(
            configuration: configuration, delegate: RedirectDelegate(headers: arguments.headers), delegateQueue: nil)
    }

    /// Fetches files, a limited number of them at once.
    ///
    /// - Parameter onEvent: Receives the events of each transfer in order, on any thread.
    func fetch(_ transfers: [Transfer], onEvent: @escaping @Sendable (Transfer, Transfer.Event) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, transfer) in transfers.enumerated() {
                if index >= arguments.jobs { await group.next() }
                group.addTask {
                    guard !Task.isCancelled else { return }
                    let start = ContinuousClock.now
                    let result: Result<URLResponse, any Error>
                    do {
                        result = .success(try await fetchFastEnough(transfer) { onEvent(transfer, $0) })
                    } catch {
                        result = .failure(error)
                    }
                    transfer.meter.finish()
                    onEvent(transfer, .ended(result, time: start.duration(to: .now)))
                }
            }
        }
    }

    /// Fetches a file, and fails if that is slower than `--speed-limit` permits.
    private func fetchFastEnough(
        _ transfer: Transfer, onEvent: @escaping @Sendable (Transfer.Event) -> Void
    ) async throws -> URLResponse {
        try await withThrowingTaskGroup(of: URLResponse.self) { group in
            group.addTask { try await fetch(transfer, onEvent: onEvent) }
            if let limit = arguments.minimumSpeed { group.addTask { throw try await slowness(of: transfer, limit) } }
            defer { group.cancelAll() }
            return try await group.next()!
        }
    }

    /// Fetches a file.
    ///
    /// - Returns: The response, when the file is at its destination.
    private func fetch(
        _ transfer: Transfer, onEvent: @escaping @Sendable (Transfer.Event) -> Void
    ) async throws -> URLResponse {
        var request = URLRequest(url: transfer.url)
        for header in arguments.headers { request.addValue(header.value, forHTTPHeaderField: header.name) }
        let (file, response) = try await session.trackedDownload(
            for: request, to: transfer.destination, options: transfer.options, policy: policy, label: transfer.label
        ) { event in
            if let event = transfer.note(event) { onEvent(event) }
        }
        let modified = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Last-Modified")
        if !arguments.isStreamed, let date = modified.flatMap(HTTPDate.parse) {
            try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
        }
        return response
    }

    /// Waits until a transfer has been too slow for `--speed-time`. Waits between attempts don't count.
    private func slowness(of transfer: Transfer, _ minimumSpeed: Int) async throws -> URLError {
        var samples: [Int64] = []
        while true {
            try await Task.sleep(for: .seconds(1))
            guard let bytes = transfer.activeBytes, bytes >= samples.last ?? 0 else {
                samples = []
                continue
            }
            samples.append(bytes)
            guard samples.count > arguments.speedTime else { continue }
            if (bytes - samples.removeFirst()) / Int64(arguments.speedTime) < minimumSpeed {
                let speed = "slower than \(ByteCount(Int64(minimumSpeed)))/s for \(arguments.speedTime) s"
                let reason = "\(speed), after \(ByteCount(bytes))"
                return URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: reason])
            }
        }
    }
}

/// Removes the header fields of the command line from redirects to other origins.
private final class RedirectDelegate: NSObject, URLSessionTaskDelegate {
    private let headers: [Arguments.Header]

    init(headers: [Arguments.Header]) { self.headers = headers }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var request = request
        if let first = response.url, let next = request.url, !first.hasOrigin(of: next) {
            for header in headers { request.setValue(nil, forHTTPHeaderField: header.name) }
        }
        completionHandler(request)
    }
}
