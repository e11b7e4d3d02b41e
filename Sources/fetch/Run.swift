import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorTracing

@MainActor
final class Run {
    private let arguments: Arguments
    private let manager = NetworkIndicatorManager.shared
    private let batch = Batch()
    private let indicator: TerminalIndicator
    private let console: Console

    init(_ arguments: Arguments, _ interruption: Interruption) {
        self.arguments = arguments
        let (batch, rows) = (batch, arguments.progressRows ?? (arguments.urls.count == 1 ? 0 : 4))
        indicator = TerminalIndicator {
            .init(batch.label, fraction: batch.updateFraction(), details: batch.details)
        } rows: {
            batch.rows(rows)
        } idleText: {
            batch.idleText
        }
        interruption.attach(indicator)
        console = Console(indicator, interruption, isQuiet: arguments.isQuiet)
    }

    func perform() async -> Int32 {
        do {
            if arguments.urls.isEmpty { try await demonstrate() } else { try await fetch(arguments.urls, to: paths) }
            return console.hasFailed || batch.count(.failed) > 0 ? 1 : 0
        } catch {
            console.printError(error.reason)
            return 1
        }
    }

    private func demonstrate() async throws {
        let demonstration = try Demonstration()
        defer { demonstration.server.stop() }
        let directory = FileManager.default.temporaryDirectory.appending(path: "fetch-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        console.print("Fetching from \(demonstration.server.url("/")) to a temporary directory")
        try await fetch(demonstration.urls, to: FileName.names(for: demonstration.urls), in: directory)
        if Task.isCancelled { return }
        console.print("Next, try 'fetch URL', Ctrl-C during a download, or '--timeline FILE' for ui.perfetto.dev")
    }

    private var paths: [String] {
        let names = FileName.names(for: arguments.urls)
        guard let output = arguments.output else { return names }
        let isDirectory = try? URL(path: output).resourceValues(forKeys: [.isDirectoryKey]).isDirectory
        if names.count == 1, isDirectory != true, !output.hasSuffix("/") { return [output] }
        return names.map { output.hasSuffix("/") ? output + $0 : "\(output)/\($0)" }
    }

    private func fetch(_ urls: [URL], to paths: [String], in directory: String = ".") async throws {
        batch.downloads = zip(urls, paths).map { Download($0, path: $1, in: directory, meter: batch.meter) }
        let directory = batch.downloads[0].destination.deletingLastPathComponent()
        let missing = sequence(first: directory) { $0.deletingLastPathComponent() }
            .prefix(directory.pathComponents.count).prefix { access($0.path, F_OK) != 0 }
        // If the run leaves no file, its directories are removed: `rmdir` fails unless a directory is empty.
        defer { for directory in missing { rmdir(directory.path) } }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let timeline = try arguments.timeline.map { try TimelineRecorder(writingTo: URL(path: $0)) }
        if let timeline { manager.attach(monitor: timeline) }
        manager.attach(indicator)
        let report = Report(
            console: console, timeline: timeline, maximumRetries: arguments.retries, keepsParts: !arguments.urls.isEmpty
        )
        let start = ContinuousClock.now
        if arguments.continuesFiles { batch.downloads.forEach(report.skipIfFinished) }
        await Downloader(arguments).fetch(batch.downloads.filter { $0.state == .queued }, report)
        let time = start.duration(to: .now)
        indicator.redraw()
        if isatty(STDERR_FILENO) == 0 { manager.updateConfiguration { $0.hideDelay = .zero } }
        do { try await manager.waitUntilIdle() } catch { indicator.setVisible(false) }
        report.end(batch, time)
        try timeline?.finish()
    }
}
