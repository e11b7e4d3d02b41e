import Foundation
import NetworkIndicatorTerminal
import NetworkIndicatorTracing
import NetworkIndicatorTransfers
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Prints the results of the downloads.
@MainActor
final class Report {
    private(set) var tally = Tally()
    /// The transfers that wait between two attempts.
    private(set) var waiting: [Transfer] = []
    /// The servers of files that can't be resumed.
    private var servers: Set<String> = []
    private let console: Console
    private let timeline: TimelineRecorder?
    private let arguments: Arguments

    /// - Parameter timeline: The recorder of the timeline, to which the waits between attempts are added.
    init(_ arguments: Arguments, _ console: Console, _ timeline: TimelineRecorder?) {
        self.arguments = arguments
        self.console = console
        self.timeline = timeline
    }

    /// Whether all files were fetched and all lines were written.
    var isComplete: Bool { tally.failed == 0 && !console.hasFailed }

    /// Prints an event, and counts results.
    func note(_ event: Transfer.Event, of transfer: Transfer) {
        waiting.removeAll { $0 === transfer }
        switch event {
        case .attempt(let event): note(event, of: transfer)
        case .ended(.success(let response), let time): fetched(transfer, response, time)
        case .ended(.failure(let error), _): failed(transfer, error)
        }
    }

    /// Notes that a transfer waits or continues, and prints why it waits.
    private func note(_ event: AttemptEvent, of transfer: Transfer) {
        switch event {
        case .started(let attempt):
            transfer.attempts = attempt
            transfer.wait?.end()
            transfer.wait = nil
        case .willRetry(_, let failure, let delay):
            transfer.isOffline = false
            transfer.retries += 1
            let count = "\(transfer.retries + 1) of \(arguments.retries + 1)"
            let reason = Explanation.text(failure, path: transfer.path)
            wait("retrying in \(delay.text(decimals: 1)) (\(count)): \(reason)", transfer, until: .now + delay)
        case .waitingForConnectivity(let error):
            let isNew = !transfer.isOffline
            transfer.isOffline = true
            wait("waiting for the network: \(error.localizedDescription)", transfer, until: nil, isNew: isNew)
        case .receiving: warn(transfer)
        case .progress, .finished: break
        }
    }

    /// Warns that files of a server can't be resumed, once for each server.
    private func warn(_ transfer: Transfer) {
        let server = "\(transfer.url.scheme ?? "")://\(transfer.url.host ?? ""):\(transfer.url.port ?? 0)"
        guard arguments.continuesFiles, servers.insert(server).inserted else { return }
        let reason = "the server sends no strong validator (ETag or Last-Modified), or accepts no ranges"
        printError("can't be resumed: \(reason)", of: transfer)
    }

    private func wait(
        _ text: String, _ transfer: Transfer, until end: ContinuousClock.Instant?, isNew: Bool = true
    ) {
        waiting.append(transfer)
        transfer.waitEnd = end
        transfer.wait = timeline?.beginWait(text, label: transfer.label)
        if isNew, !arguments.isQuiet { printError(text, of: transfer) }
    }

    private func fetched(_ transfer: Transfer, _ response: URLResponse, _ time: Duration) {
        let size = transfer.progress?.completedBytes ?? 0
        let received = size - transfer.continuedBytes
        tally.fetched += 1
        tally.size += size
        tally.received += received
        let http = response as? HTTPURLResponse
        let field = { http?.value(forHTTPHeaderField: $0) }
        let coding = field("Content-Encoding") ?? ""
        if !["", "identity"].contains(coding.lowercased()) {
            // Without a length, a lost connection looks like the end of the file.
            let isWhole = field("Content-Length") != nil || field("Transfer-Encoding") != nil
            let end = isWhole ? "" : ", and may be incomplete"
            printError("the server compressed the file (\(coding)); it was saved decompressed\(end)", of: transfer)
        }
        say(transfer, "\(http?.statusCode ?? 200)", size, Format.time(time), Format.rate(received, time))
    }

    /// Prints that a file exists, and is not fetched.
    func skipped(_ transfer: Transfer, _ size: Int64) {
        tally.skipped += 1
        say(transfer, "-", size, "exists", nil)
    }

    private func say(_ transfer: Transfer, _ status: String, _ size: Int64, _ time: String, _ rate: String?) {
        guard !arguments.isQuiet else { return }
        let columns = Format.columns(
            status: status, size: size, time: time, rate: console.isTerminal ? rate ?? "" : nil, console.style)
        console.print(transfer.path, after: columns)
    }

    private func failed(_ transfer: Transfer, _ error: any Error) {
        // A signal is ending the program, or standard output has failed.
        if error is CancellationError { return interrupted(transfer) }
        if case DownloadError.file(.write, _, .EPIPE) = error, arguments.isStreamed,
            console.termination.begin(by: SIGPIPE)
        {
            return
        }
        tally.failed += 1
        var text = Explanation.text(error, path: transfer.path)
        if transfer.attempts > 1 { text += " (after \(transfer.attempts) attempts)" }
        switch error {
        case DownloadError.file(.create, _, _), DownloadError.notMoved: break
        default: if let kept = kept(transfer) { text += "; \(kept), continue with -c" }
        }
        console.printFailure("\(transfer.url.withoutCredentials): \(text)")
    }

    /// Notes that a signal has ended a transfer, and prints what was kept.
    private func interrupted(_ transfer: Transfer) {
        tally.interrupted += 1
        guard arguments.keepsParts else { return }
        if let kept = kept(transfer) {
            console.printError("\(kept) of \(transfer.path); run the same command with -c")
        } else {
            console.printError("kept nothing of \(transfer.path)")
        }
    }

    /// `kept 9.4 MB`, if there is a part that a later run can resume.
    private func kept(_ transfer: Transfer) -> String? {
        transfer.keptBytes > 0 ? "kept \(ByteCount(transfer.keptBytes))" : nil
    }

    /// Prints the summary of several files.
    func end(_ count: Int, time: Duration) {
        if count > 1 { say(tally.summary(of: count, time: time)) }
    }

    /// Prints a line, unless `--quiet` is set.
    func say(_ text: String) {
        if !arguments.isQuiet { console.print(text) }
    }

    private func printError(_ text: String, of transfer: Transfer) {
        console.printError("\(transfer.url.withoutCredentials): \(text)")
    }
}
