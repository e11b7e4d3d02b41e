import Foundation
import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorTracing

/// One run of the program, from its arguments to its exit status.
struct Run {
    private let arguments: Arguments
    private let files: TemporaryFiles
    private let termination: Termination
    private let manager = NetworkIndicatorManager.shared

    init(_ arguments: Arguments, files: TemporaryFiles, termination: Termination) {
        self.arguments = arguments
        self.files = files
        self.termination = termination
    }

    /// Fetches everything.
    ///
    /// - Returns: 0 if all files were fetched, otherwise 1.
    func perform() async -> Int32 {
        let isDemonstration = arguments.urls.isEmpty
        var demonstration: Demonstration?
        var directory = arguments.directory
        let timeline: TimelineRecorder?
        do {
            if let directory { try Directory.make(directory) }
            timeline = try arguments.timeline.map { try TimelineRecorder(writingTo: URL(fileURLWithPath: $0)) }
            if isDemonstration {
                demonstration = try Demonstration()
                directory = try files.makeDirectory()
            }
        } catch {
            _ = Console.write("fetch: \(error)".printable, to: STDERR_FILENO)
            return 1
        }
        defer { demonstration?.stop() }

        if let timeline {
            manager.addMonitor(timeline)
            termination.atEnd { try? timeline.finish() }
        }
        let urls = demonstration?.urls ?? arguments.urls
        let tally = Tally(total: urls.count)
        let indicator = TerminalIndicator(label: { tally.numbers.label }, animation: arguments.indicator.mode)
        manager.attach(indicator)
        let console = Console(indicator: indicator, termination: termination)
        let report = Report(tally: tally, console: console, isQuiet: arguments.isQuiet, timeline: timeline)
        if let demonstration, let directory {
            report.say("Fetching from \(demonstration.address) to \(directory), which is removed at the end")
        }

        let start = ContinuousClock.now
        let names = FileName.names(for: urls)
        let downloads = zip(urls, names).map { url, name in
            Download(url: url, name: name, directory: directory, replaces: arguments.replacesFiles)
        }
        await fetch(downloads, report)
        report.end(time: start.duration(to: .now))
        await turnOff()
        files.removeAll {}
        var isComplete = tally.numbers.failed == 0
        do {
            try timeline?.finish()
        } catch {
            console.printError("\(error)")
            isComplete = false
        }
        return isComplete && !console.hasFailed ? 0 : 1
    }

    private func fetch(_ downloads: [Download], _ report: Report) async {
        let session = DownloadSession(arguments, files: files)
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = arguments.jobs
        for download in downloads {
            queue.addOperation(DownloadOperation(download, session: session, report: report))
        }
        await withCheckedContinuation { continuation in
            queue.addBarrierBlock { continuation.resume() }
        }
    }

    /// Waits until the terminal is clean.
    private func turnOff() async {
        manager.updateConfiguration {
            // There will be no further task to bridge a pause to.
            $0.hideDelay = .zero
        }
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
