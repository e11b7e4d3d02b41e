import Foundation
import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorTracing
import NetworkIndicatorTransfers

/// One run of the program, from its arguments to its exit status.
@MainActor
final class Run {
    private let arguments: Arguments
    private let termination: Termination
    private let manager = NetworkIndicatorManager.shared
    private let meter = TransferMeter()
    private var transfers: [Transfer] = []
    private var timeline: TimelineRecorder?
    private var countdown: Task<Void, Never>?
    private lazy var indicator = TerminalIndicator(
        label: { [self] in view.label }, fraction: { [self] in view.fraction }, details: { [self] in view.details },
        rows: { [self] in view.rows(arguments.progressRows) },
        // With `-o -`, the file itself may appear on the terminal.
        animation: arguments.isStreamed && isatty(STDOUT_FILENO) == 1 ? .never : arguments.indicator)
    private lazy var report = Report(
        arguments, Console(indicator: indicator, termination: termination, outputIsForFile: arguments.isStreamed),
        timeline)
    private var view: ProgressView {
        ProgressView(
            transfers: transfers, waiting: report.waiting, tally: report.tally, jobs: arguments.jobs, meter: meter)
    }

    init(_ arguments: Arguments, termination: Termination) {
        self.arguments = arguments
        self.termination = termination
    }

    /// Fetches all files.
    ///
    /// - Returns: 0 if all files were fetched and all output was written, otherwise 1.
    func perform() async -> Int32 {
        do {
            let directory = try Directory.current()
            let paths = arguments.paths
            for path in arguments.isStreamed ? [] : paths {
                if let slash = path.unicodeScalars.lastIndex(of: "/") { try Directory.make(path[..<slash]) }
            }
            timeline = try arguments.timeline.map { try TimelineRecorder(writingTo: URL(fileURLWithPath: $0)) }
            if let timeline { manager.addMonitor(timeline) }
            defer { try? timeline?.finish() }
            if arguments.isDemonstration {
                try await demonstrate()
            } else {
                manager.attach(indicator)
                if arguments.urls.isEmpty { report.say("nothing to fetch") }
                await fetch(arguments.urls, to: paths, in: directory)
            }
            try timeline?.finish()
            return report.isComplete ? 0 : 1
        } catch {
            Output.printError("\(error)")
            return 1
        }
    }

    /// Fetches files from a server of its own into a temporary directory.
    private func demonstrate() async throws {
        let demonstration = try Demonstration()
        defer { demonstration.stop() }
        let directory = try Directory.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        manager.attach(indicator)
        report.say("Fetching from \(demonstration.address) to \(directory), which is removed at the end")
        await fetch(demonstration.urls, to: FileName.paths(for: demonstration.urls, in: directory), in: directory)
    }

    /// Fetches all files, and prints what happens.
    private func fetch(_ urls: [URL], to paths: [String], in directory: String) async {
        let downloader = Downloader(arguments)
        transfers = zip(urls, paths).map { url, path in
            Transfer(url, path: path, in: directory, meter: meter, options: downloader.options)
        }
        let missing = transfers.filter { !skips($0) }
        let start = ContinuousClock.now
        let (events, continuation) = AsyncStream.makeStream(of: (Transfer, Transfer.Event).self)
        // This task isn't cancelled with the transfers, so it prints the result of each.
        let printing = Task {
            for await (transfer, event) in events {
                report.note(event, of: transfer)
                showWaits()
            }
        }
        await downloader.fetch(missing) { continuation.yield(($0, $1)) }
        continuation.finish()
        await printing.value
        let time = start.duration(to: .now)
        indicator.idleText = nil
        if termination.signal == nil { await turnOff() }
        // A signal also ends the wait of `turnOff`. Nothing else erases the row before a signal ends the program.
        if termination.signal != nil { indicator.setVisible(false) }
        report.end(transfers.count, time: time)
    }

    /// Skips a file that exists, if `--continue` is set. Only complete files have their final names.
    private func skips(_ transfer: Transfer) -> Bool {
        guard arguments.continuesFiles, !arguments.replacesFiles, let size = transfer.finishedBytes else {
            return false
        }
        transfer.meter.finish()
        report.skipped(transfer, size)
        return true
    }

    /// Shows a countdown while every transfer waits. The indicator is off during that time.
    private func showWaits() {
        indicator.idleText = view.idleText
        guard indicator.idleText != nil, countdown == nil else { return }
        countdown = Task {
            while let text = view.idleText {
                indicator.idleText = text
                guard (try? await Task.sleep(for: .milliseconds(200))) != nil else { break }
            }
            countdown = nil
        }
    }

    /// Waits until the indicator is erased.
    private func turnOff() async {
        // No further task follows, so there is no gap to bridge. On a terminal, a short delay keeps the full bar visible.
        indicator.redraw()
        let delay = isatty(STDERR_FILENO) == 1 ? Duration.milliseconds(250) : .zero
        manager.updateConfiguration { $0.hideDelay = delay }
        try? await manager.waitUntilIdle()
    }
}
