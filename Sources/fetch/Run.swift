import Foundation
import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorTracing
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One run of the program, from its arguments to its exit status.
@MainActor
final class Run {
    private let arguments: Arguments
    private let termination: Termination
    private let manager = NetworkIndicatorManager.shared
    private let meter = TransferMeter()
    private var transfers: [Transfer] = []
    /// The transfers that wait between two attempts.
    private var waiting: [Transfer] = []
    /// The number of transfers that aren't complete, and haven't failed.
    private var openCount = 0
    private var completeCount = 0
    private var countdown: Task<Void, Never>?
    private var view: ProgressView {
        ProgressView(
            transfers: transfers, waiting: waiting, completeCount: completeCount,
            currentCount: min(arguments.jobs, openCount), meter: meter)
    }
    private lazy var indicator = TerminalIndicator(
        label: { [self] in view.label }, fraction: { [self] in view.fraction }, details: { [self] in view.details },
        rows: { [self] in view.rows(arguments.progressRows) }, animation: animation)

    init(_ arguments: Arguments, termination: Termination) {
        self.arguments = arguments
        self.termination = termination
    }

    /// Fetches all files.
    ///
    /// - Returns: 0 if all files were fetched and all output was written, otherwise 1.
    func perform() async -> Int32 {
        do {
            let current = try Directory.current()
            for path in arguments.output == .standardOutput ? [] : arguments.paths {
                if let slash = path.lastIndex(of: "/") { try Directory.make(path[..<slash]) }
            }
            let timeline = try arguments.timeline.map { try TimelineRecorder(writingTo: URL(fileURLWithPath: $0)) }
            if let timeline { manager.addMonitor(timeline) }
            defer { try? timeline?.finish() }
            let demonstration = arguments.isDemonstration ? try Demonstration() : nil
            defer { demonstration?.stop() }
            let temporary = arguments.isDemonstration ? try Directory.makeTemporary() : nil
            defer { if let temporary { try? FileManager.default.removeItem(atPath: temporary) } }

            manager.attach(indicator)
            let console = Console(indicator: indicator, termination: termination, outputIsForFile: isOutput)
            let report = Report(arguments, console: console, timeline: timeline)
            if let demonstration, let temporary {
                report.say("Fetching from \(demonstration.address) to \(temporary), which is removed at the end")
            }
            let urls = demonstration?.urls ?? arguments.urls
            if urls.isEmpty { report.say("nothing to fetch") }
            let paths = temporary.map { FileName.paths(for: urls, in: $0) } ?? arguments.paths
            await fetch(Array(zip(urls, paths)), in: current, report)
            try timeline?.finish()
            return report.isComplete ? 0 : 1
        } catch {
            _ = Output.write(Line("fetch: \(error)"), to: STDERR_FILENO)
            return 1
        }
    }

    private var isOutput: Bool { arguments.output == .standardOutput }

    private var animation: TerminalIndicator.Mode {
        // The file itself appears on the terminal.
        if isOutput, isatty(STDOUT_FILENO) == 1 { return .never }
        return switch arguments.indicator {
        case .auto: .auto
        case .always: .always
        case .never: .never
        }
    }

    private func fetch(_ files: [(url: URL, path: String)], in directory: String, _ report: Report) async {
        let downloader = Downloader(arguments)
        transfers = files.map { url, path in
            Transfer(url, path: path, in: directory, meter: meter, options: downloader.options)
        }
        openCount = transfers.count
        let skipped = transfers.filter { skips($0, report) }
        let start = ContinuousClock.now
        await fetch(transfers.filter { transfer in !skipped.contains { $0 === transfer } }, downloader, report)
        let time = start.duration(to: .now)
        indicator.idleText = nil
        if termination.signal == nil { await turnOff() } else { indicator.setVisible(false) }
        report.end(transfers.count, time: time)
    }

    /// Skips a file that exists, if `--continue` is set. Only complete files have their final names.
    private func skips(_ transfer: Transfer, _ report: Report) -> Bool {
        guard arguments.continuesFiles, !arguments.replacesFiles, let size = transfer.finishedBytes else {
            return false
        }
        transfer.meter.finish()
        openCount -= 1
        completeCount += 1
        report.skipped(transfer, size)
        return true
    }

    /// Fetches all files, and prints what happens.
    private func fetch(_ transfers: [Transfer], _ downloader: Downloader, _ report: Report) async {
        let (events, continuation) = AsyncStream.makeStream(of: (Transfer, Transfer.Event).self)
        // This task isn't cancelled with the transfers, so it prints the result of each.
        let printing = Task {
            for await (transfer, event) in events { note(event, of: transfer, report) }
        }
        await downloader.fetch(transfers) { continuation.yield(($0, $1)) }
        continuation.finish()
        await printing.value
    }

    private func note(_ event: Transfer.Event, of transfer: Transfer, _ report: Report) {
        waiting.removeAll { $0 === transfer }
        switch event {
        case .attempt(let event):
            report.note(event, of: transfer)
            switch event {
            case .willRetry, .waitingForConnectivity: waiting.append(transfer)
            default: break
            }
        case .ended(let result, let time):
            openCount -= 1
            end(transfer, result, time, report)
        }
        showWaits()
    }

    private func end(
        _ transfer: Transfer, _ result: Result<URLResponse, any Error>, _ time: Duration, _ report: Report
    ) {
        do {
            let response = try result.get()
            completeCount += 1
            report.fetched(transfer, response, time: time)
        } catch is CancellationError {
            // A signal is ending the program, or standard output has failed.
            report.interrupted(transfer)
        } catch DownloadError.file(.write, _, .EPIPE) where isOutput && !termination.ignoresLostReaders {
            termination.begin(by: SIGPIPE)
        } catch {
            report.failed(transfer, error)
        }
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
