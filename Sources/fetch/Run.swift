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
    private var endedCount = 0
    private var countdown: Task<Void, Never>?
    private var view: ProgressView {
        let currentCount = min(arguments.jobs, transfers.count - endedCount)
        return ProgressView(transfers: transfers, waiting: waiting, currentCount: currentCount, meter: meter)
    }
    private lazy var indicator = TerminalIndicator(
        label: { [self] in view.label }, fraction: { [self] in view.fraction }, details: { [self] in view.details },
        rows: { [self] in view.rows(arguments.progressRows) }, animation: arguments.indicator.mode)

    init(_ arguments: Arguments, termination: Termination) {
        self.arguments = arguments
        self.termination = termination
    }

    /// Fetches all files.
    ///
    /// - Returns: 0 if all files were fetched and all output was written, otherwise 1.
    func perform() async -> Int32 {
        do {
            if let directory = arguments.directory { try Directory.make(directory) }
            let timeline = try arguments.timeline.map { try TimelineRecorder(writingTo: URL(fileURLWithPath: $0)) }
            if let timeline { manager.addMonitor(timeline) }
            defer { try? timeline?.finish() }
            let demonstration = arguments.urls.isEmpty ? try Demonstration() : nil
            defer { demonstration?.stop() }
            let isTemporary = demonstration != nil || arguments.output == .standardOutput
            let temporary = isTemporary ? try Directory.makeTemporary() : nil
            defer { if let temporary { try? FileManager.default.removeItem(atPath: temporary) } }

            let isComplete = await fetch(
                demonstration?.urls ?? arguments.urls, to: temporary ?? arguments.directory,
                demonstration?.address, timeline)
            try timeline?.finish()
            return isComplete ? 0 : 1
        } catch {
            _ = Output.write(Line("fetch: \(error)"), to: STDERR_FILENO)
            return 1
        }
    }

    /// - Returns: Whether all files were fetched and all lines were written.
    private func fetch(
        _ urls: [URL], to directory: String?, _ address: String?, _ timeline: TimelineRecorder?
    ) async -> Bool {
        manager.attach(indicator)
        let isOutput = arguments.output == .standardOutput
        let console = Console(indicator: indicator, termination: termination, outputIsForFile: isOutput)
        let report = Report(arguments, console: console, timeline: timeline)
        if let address, let directory {
            report.say("Fetching from \(address) to \(directory), which is removed at the end")
        }

        transfers = zip(urls, FileName.names(for: urls)).map { url, name in
            let path = Directory.path(name, in: directory)
            let download = Download(url: url, path: path, isForOutput: isOutput)
            return Transfer(download, in: meter, keptBytes: arguments.continuesFiles ? download.keptBytes : 0)
        }
        let start = ContinuousClock.now
        await fetch(with: report)
        indicator.idleText = nil
        if termination.isUnderWay {
            indicator.setVisible(false)
            return false
        }
        let time = start.duration(to: .now)
        await turnOff()
        report.end(time: time)
        return report.isComplete
    }

    /// Fetches all files, and prints what happens.
    private func fetch(with report: Report) async {
        let (events, continuation) = AsyncStream.makeStream(of: (Transfer, Transfer.Event).self)
        // This task isn't cancelled with the transfers, so it prints the result of each.
        let printing = Task {
            for await (transfer, event) in events { note(event, of: transfer, report) }
        }
        await Downloader(arguments).fetch(transfers, atOnce: arguments.jobs) { continuation.yield(($0, $1)) }
        continuation.finish()
        await printing.value
    }

    private func note(_ event: Transfer.Event, of transfer: Transfer, _ report: Report) {
        waiting.removeAll { $0 === transfer }
        switch event {
        case .attempt(let event, let progress):
            report.note(event, progress, of: transfer)
            let isWaiting = if case .started = event { false } else { true }
            if isWaiting { waiting.append(transfer) }
        case .ended(let result, let time):
            endedCount += 1
            end(transfer, result, time, report)
        }
        showWaits()
    }

    private func end(
        _ transfer: Transfer, _ result: Result<URLResponse, any Error>, _ time: Duration, _ report: Report
    ) {
        do {
            let response = try result.get()
            if arguments.output == .standardOutput { try report.copy(transfer.download.destination) }
            report.fetched(transfer, response, time: time)
        } catch is CancellationError {
            // A signal is ending the program, or standard output has failed.
        } catch {
            report.failed(transfer, error)
            indicator.indicateFailure()
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

extension Arguments.Indicator {
    fileprivate var mode: TerminalIndicator.Mode {
        switch self {
        case .auto: .auto
        case .always: .always
        case .never: .never
        }
    }
}
