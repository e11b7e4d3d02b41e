import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorTracing
import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor
final class Run {
    let indicator: TerminalIndicator
    private let arguments: Arguments
    private let manager = NetworkIndicatorManager.shared
    private let batch = Batch()
    private let console: Console
    private let session: URLSession
    private var policy = TrackedRetryPolicy.retryingServerErrors
    private var options = DownloadOptions()
    private var timeline: TimelineRecorder?

    init(_ arguments: Arguments) {
        self.arguments = arguments
        let batch = batch
        indicator = TerminalIndicator(style: .init(writesPlainLines: !arguments.isQuiet)) {
            batch.row()
        } rows: {
            batch.rows()
        } idleText: {
            batch.meter.waitingText.map { "⏸ \($0)" }
        }
        console = Console(indicator, isQuiet: arguments.isQuiet)
        policy.maximumRetries = arguments.retries
        options.replacesDestination = arguments.replacesFiles
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = arguments.jobs
        // If a response is compressed, `Content-Length` and ranges refer to the compressed body, but URLSession
        // delivers the decompressed body.
        configuration.httpAdditionalHeaders = ["Accept-Encoding": "identity", "User-Agent": "fetch"]
        session = URLSession(configuration: configuration)
    }

    func perform() async -> Int32 {
        do {
            if arguments.urls.isEmpty { try await demonstrate() } else { try await fetch(arguments.urls, to: paths) }
            return console.hasFailed || batch.count(.failed) > 0 ? 1 : 0
        } catch {
            console.printError(error.localizedDescription)
            return 1
        }
    }

    private func demonstrate() async throws {
        let demonstration = try Demonstration()
        defer { demonstration.server.stop() }
        let directory = FileManager.default.temporaryDirectory.appending(path: "fetch-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        console.print("Fetching from a server in this program, which drops one connection on purpose")
        try await fetch(demonstration.urls, to: Download.names(for: demonstration.urls), in: directory.path)
        if !Task.isCancelled { console.print("Next, try 'swift run fetch URL', and Ctrl-C during the download") }
    }

    private var paths: [String] {
        let names = Download.names(for: arguments.urls)
        guard let output = arguments.output else { return names }
        let isDirectory = try? URL(path: output).resourceValues(forKeys: [.isDirectoryKey]).isDirectory
        if names.count == 1, isDirectory != true, !output.hasSuffix("/") { return [output] }
        return names.map { output.hasSuffix("/") ? output + $0 : "\(output)/\($0)" }
    }

    private func fetch(_ urls: [URL], to paths: [String], in directory: String = ".") async throws {
        batch.downloads = zip(urls, paths).map { Download($0, path: $1, in: directory, meter: batch.meter) }
        // If this fails, the downloads report the error.
        try? FileManager.default.createDirectory(
            at: batch.downloads[0].destination.deletingLastPathComponent(), withIntermediateDirectories: true)
        timeline = try arguments.timeline.map { try TimelineRecorder(writingTo: URL(path: $0)) }
        if let timeline { manager.attach(monitor: timeline) }
        manager.attach(indicator)
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for (index, download) in batch.downloads.enumerated() {
                if index >= arguments.jobs { await group.next() }
                group.addTask { await self.fetch(download) }
            }
        }
        indicator.setVisible(false)
        if urls.count > 1 { console.print(batch.summary(start.duration(to: .now))) }
        try timeline?.finish()
    }

    private func fetch(_ download: Download) async {
        if Task.isCancelled { return }
        if arguments.continuesFiles, let size = download.destination.fileSize {
            download.state = .skipped
            download.transfer.finish()
            return console.printFile(download.path, size, "exists")
        }
        let start = ContinuousClock.now
        download.state = .active
        // The latest response with a body, and whether a truncated body would be noticed.
        let (bodies, body) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        do {
            let (path, timeline) = (download.path, timeline)
            _ = try await session.trackedDownload(
                from: download.url, to: download.destination, options: options, policy: policy, label: path
            ) { [self] event in
                download.transfer.receive(event)
                switch event {
                case .receiving(_, let isVerifiable): body.yield(isVerifiable)
                case .willRetry(let attempt, let failure, let delay):
                    let time = delay < .milliseconds(50) ? "now" : "in \(delay.text)"
                    let text = "retrying \(time) (attempt \(attempt)): \(failure)"
                    _ = timeline?.beginWait(text, label: path)
                    if !arguments.isQuiet { console.printError("\(path): \(text)") }
                case .waitingForConnectivity: _ = timeline?.beginWait("\(event)", label: path)
                default: break
                }
            }
            download.state = .fetched
            download.size = download.destination.fileSize ?? 0
            console.printFile(download.path, download.size, start.duration(to: .now).text)
        } catch {
            fail(download, error)
        }
        body.finish()
        for await isVerifiable in bodies {
            if download.state == .fetched, !isVerifiable {
                console.printError("\(download.path): may be incomplete; the server compresses it, or sends no length")
            } else if download.state != .fetched, download.kept == nil, !arguments.urls.isEmpty {
                console.printError("\(download.path): cannot be resumed; the next run begins it again")
            }
        }
    }

    private func fail(_ download: Download, _ error: any Error) {
        download.state = error is CancellationError ? .interrupted : .failed
        if download.state == .failed { console.printError("\(download.path): \(error)", isFailure: true) }
        switch error {
        case DownloadError.file(.create, _, .EEXIST):
            console.printError("use --force to replace \(download.path), or -c to skip it")
        case DownloadError.file(.write, _, _), DownloadError.unacceptableStatus, is NetworkRequestError,
            is CancellationError:
            guard !arguments.urls.isEmpty, let kept = download.kept else { return }
            console.printError("kept \(kept.text) of \(download.path); resume with -c")
        default: break
        }
    }
}
