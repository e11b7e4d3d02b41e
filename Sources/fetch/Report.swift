import Foundation
import NetworkIndicatorTerminal
import NetworkIndicatorTracing
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Prints the results of the downloads.
@MainActor
final class Report {
    private var tally = Tally()
    /// The servers of files that can't be resumed.
    private var servers: Set<String> = []
    private let console: Console
    private let timeline: TimelineRecorder?
    private let arguments: Arguments

    /// - Parameter timeline: The recorder of the timeline, to which the waits between attempts are added.
    init(_ arguments: Arguments, console: Console, timeline: TimelineRecorder?) {
        self.arguments = arguments
        self.console = console
        self.timeline = timeline
    }

    /// Whether all files were fetched and all lines were written.
    var isComplete: Bool { tally.failed == 0 && !console.hasFailed }

    /// Notes that a transfer waits or continues, and prints why it waits.
    func note(_ event: AttemptEvent, of transfer: Transfer) {
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

    /// Names a server whose files can't be resumed, once.
    private func warn(_ transfer: Transfer) {
        let server = "\(transfer.url.scheme ?? "")://\(transfer.url.host ?? ""):\(transfer.url.port ?? 0)"
        guard arguments.continuesFiles, servers.insert(server).inserted else { return }
        let reason = "the server sends no strong validator (ETag or Last-Modified), or accepts no ranges"
        printError("can't be resumed: \(reason)", of: transfer)
    }

    private func wait(
        _ text: String, _ transfer: Transfer, until end: ContinuousClock.Instant?, isNew: Bool = true
    ) {
        transfer.waitEnd = end
        transfer.wait = timeline?.beginWait(text, label: transfer.label)
        if isNew, !arguments.isQuiet { printError(text, of: transfer) }
    }

    func fetched(_ transfer: Transfer, _ response: URLResponse, time: Duration) {
        let size = transfer.progress?.completedBytes ?? 0
        let received = size - transfer.continuedBytes
        tally.fetched += 1
        tally.size += size
        tally.received += received
        if let coding = response.contentCoding {
            let end = response.hasVerifiedEnd ? "" : ", and may be incomplete"
            printError("the server compressed the file (\(coding)); it was saved decompressed\(end)", of: transfer)
        }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 200
        say(transfer, "\(status)", size, Format.time(time), Format.rate(received, time))
    }

    /// Prints that a file exists, and is not fetched.
    func skipped(_ transfer: Transfer, _ size: Int64) {
        tally.skipped += 1
        say(transfer, "-", size, "exists", nil)
    }

    private func say(_ transfer: Transfer, _ status: String, _ size: Int64, _ time: String, _ rate: String?) {
        guard !arguments.isQuiet else { return }
        console.print(
            Format.line(
                status: status, size: size, time: time, rate: console.isTerminal ? rate ?? "" : nil,
                path: transfer.path, console.style))
    }

    func failed(_ transfer: Transfer, _ error: any Error) {
        tally.failed += 1
        var text = Explanation.text(error, path: transfer.path)
        if transfer.attempts > 1 { text += " (after \(transfer.attempts) attempts)" }
        if !error.isAboutDestination, let kept = kept(transfer) { text += "; \(kept), continue with -c" }
        var line = Line()
        line.append(mark: console.errorStyle.failureMark)
        line.append("\(console.errorStyle.usesColor ? "" : "fetch: ")\(transfer.url.withoutCredentials): \(text)")
        console.printError(line)
    }

    /// Notes that a signal has ended a transfer, and prints what was kept.
    func interrupted(_ transfer: Transfer) {
        tally.interrupted += 1
        guard arguments.keepsParts else { return }
        if let kept = kept(transfer) {
            console.printError(Line("fetch: \(kept) of \(transfer.path); run the same command with -c"))
        } else {
            console.printError(Line("fetch: kept nothing of \(transfer.path)"))
        }
    }

    /// `kept 9.4 MB`, if there is a part that a later run can resume.
    private func kept(_ transfer: Transfer) -> String? {
        let bytes = arguments.keepsParts ? transfer.keptBytes : 0
        return bytes > 0 ? "kept \(ByteCount(bytes))" : nil
    }

    /// Prints the summary of several files.
    func end(_ count: Int, time: Duration) {
        if count > 1 { say(tally.summary(of: count, time: time)) }
    }

    /// Prints a line, unless `--quiet` is set.
    func say(_ text: String) {
        if !arguments.isQuiet { console.print(Line(text)) }
    }

    private func printError(_ text: String, of transfer: Transfer) {
        console.printError(Line("fetch: \(transfer.url.withoutCredentials): \(text)"))
    }
}

extension Error {
    /// Whether a download hasn't begun, because its files can't be used, or only its end has failed.
    fileprivate var isAboutDestination: Bool {
        switch self as? DownloadError {
        case .file(.create, _, _), .notMoved: true
        default: false
        }
    }
}

extension URLResponse {
    private func field(_ name: String) -> String? { (self as? HTTPURLResponse)?.value(forHTTPHeaderField: name) }

    /// The compression of the body, which URLSession has decompressed.
    fileprivate var contentCoding: String? {
        let coding = field("Content-Encoding") ?? ""
        return coding.isEmpty || coding.lowercased() == "identity" ? nil : coding
    }

    /// Whether the end of the body can be distinguished from a lost connection.
    fileprivate var hasVerifiedEnd: Bool { field("Content-Length") != nil || field("Transfer-Encoding") != nil }
}
