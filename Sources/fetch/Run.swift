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
    private let batch = Batch()
    private let console: Console
    private let session: URLSession
    private var policy = TrackedRetryPolicy.retryingServerErrors
    private var options = DownloadOptions()

    init(_ arguments: Arguments) {
        self.arguments = arguments
        let style = TerminalIndicator.Style(
            animation: arguments.isQuiet ? .never : .automatic, writesPlainLines: !arguments.isQuiet)
        indicator = TerminalIndicator(style: style, batch.row, rows: batch.rows, idleRow: batch.idleRow)
        console = Console(indicator, isQuiet: arguments.isQuiet)
        policy.maximumRetries = arguments.retries
        options.existingFile = arguments.replacesFiles ? .replace : arguments.continuesFiles ? .skip : .fail
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
            return console.hasFailed || batch[.failed] > 0 ? 1 : 0
        } catch {
            console.printError("fetch: \(error.localizedDescription)")
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
        // This path exists if `output` is a directory, or a link to one.
        let isDirectory = output.hasSuffix("/") || FileManager.default.fileExists(atPath: "\(output)/.")
        if names.count == 1, !isDirectory { return [output] }
        return names.map { output.hasSuffix("/") ? output + $0 : "\(output)/\($0)" }
    }

    private func fetch(_ urls: [URL], to paths: [String], in base: String = URL.currentDirectory().path) async throws {
        batch.add(urls, to: paths, in: base)
        // If this fails, the downloads report the error.
        try? FileManager.default.createDirectory(
            at: URL(path: paths[0], in: base).deletingLastPathComponent(), withIntermediateDirectories: true)
        let timeline = try arguments.timeline.map { try TimelineRecorder(writingTo: URL(path: $0)) }
        if let timeline { NetworkIndicatorManager.shared.attach(monitor: timeline) }
        NetworkIndicatorManager.shared.attach(indicator)
        await withTaskGroup(of: Void.self) { group in
            for place in 0..<min(arguments.jobs, urls.count) {
                group.addTask { await self.fetchFiles(at: place) }
            }
        }
        batch.endQueue()
        indicator.setVisible(false)
        if urls.count > 1 { console.print(batch.summary()) }
        try timeline?.finish()
    }

    private func fetchFiles(at place: Int) async {
        while !Task.isCancelled, let download = batch.begin(at: place) {
            await fetch(download, at: place)
        }
    }

    private func fetch(_ download: Download, at place: Int) async {
        // These values are read only after the call has returned. By then, the handler has processed all events.
        nonisolated(unsafe) var (retries, isVerifiable) = ("", true)
        do {
            let (path, console) = (download.path, console)
            let (file, response) = try await session.trackedDownload(
                from: download.url, to: download.destination, options: options, policy: policy, label: path
            ) { event in
                if case .finished = event { return }
                download.transfer.receive(event)
                if case .receiving(_, let value) = event { isVerifiable = value }
                guard case .willRetry(let attempt, let failure, let delay) = event else { return }
                // The file's row shows the further retries.
                if attempt > 2 { return retries = "retried \(attempt - 1) times, \(failure)" }
                // As in the file's row, the time is rounded up.
                let seconds = max(1, Int((delay / .seconds(1)).rounded(.up)))
                console.printError("\(path): retrying in \(seconds) s, \(failure)", isNews: true)
            }
            // An existing directory receives the file.
            let name = file.path == download.destination.path ? path : "\(path)/\(file.lastPathComponent)"
            guard let response = response as? HTTPURLResponse else {
                batch.end(at: place, .skipped)
                return console.printFile(name, response.expectedContentLength, "exists")
            }
            let status = download.transfer.status
            batch.end(at: place, .fetched)
            console.printFile(name, status?.completedBytes ?? 0, status?.timeDescription ?? "")
            if !retries.isEmpty { console.printError("\(path): \(retries)", isNews: true) }
            let coding = response.value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? ""
            if !isVerifiable {
                console.printError("\(path): may be incomplete; the server sends no usable length")
            } else if !["", "identity"].contains(coding) {
                console.printError("\(path): stored compressed (\(coding))")
            }
        } catch is CancellationError {
            batch.end(at: place, .interrupted)
            // On a slow terminal, drawing the rows again below each line would take seconds.
            indicator.setVisible(false)
            if !arguments.urls.isEmpty { console.printError("\(download.path): interrupted\(hint(download))") }
        } catch {
            batch.end(at: place, .failed)
            console.printFailure("\(download.path): \(error)\(hint(download, error))")
        }
    }

    /// How to finish the job. An option of this run that replaces files must stay.
    private func hint(_ download: Download, _ error: any Error = CancellationError()) -> String {
        if case DownloadError.file(.create, _, .EEXIST) = error {
            return "; use --force to replace it, or -c to skip it"
        }
        let kept = DownloadOptions.resumableBytes(for: URLRequest(url: download.url), to: download.destination)
        if kept == 0 || arguments.urls.isEmpty { return "" }
        // The next run needs an option only for files that exist.
        let option = arguments.replacesFiles ? " with --force" : arguments.urls.count > 1 ? " with -c" : ""
        return "; kept \(TransferProgress(completedBytes: kept)), run fetch again\(option) to resume"
    }
}
