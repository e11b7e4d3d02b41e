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
    private let console: Console
    private let timeline: TimelineRecorder?
    private let arguments: Arguments

    /// - Parameter timeline: The recorder of the attempts, for the waits between them.
    init(_ arguments: Arguments, console: Console, timeline: TimelineRecorder?) {
        self.arguments = arguments
        self.console = console
        self.timeline = timeline
    }

    /// Whether all files were fetched and all lines were written.
    var isComplete: Bool { tally.failed == 0 && !console.hasFailed }

    /// Notes that a transfer waits or continues, and prints why it waits.
    ///
    /// - Parameter progress: The progress of the attempt that failed.
    func note(_ event: AttemptEvent, _ progress: TransferProgress?, of transfer: Transfer) {
        switch event {
        case .started(let attempt):
            transfer.attempts = attempt
            transfer.wait?.end()
            transfer.wait = nil
        case .willRetry(_, let failure, let delay):
            transfer.isOffline = false
            transfer.retries += 1
            let count = "\(transfer.retries + 1) of \(arguments.retries + 1)"
            let reason = explanation(transfer, progress).text(failure)
            wait("retrying in \(Format.delay(delay)) (\(count)): \(reason)", transfer, until: .now + delay)
        case .waitingForConnectivity(let error):
            let isNew = !transfer.isOffline
            transfer.isOffline = true
            let reason = explanation(transfer, progress).text(error)
            wait("waiting for the network: \(reason)", transfer, until: nil, isNew: isNew)
        case .progress, .finished: break
        }
    }

    private func wait(
        _ text: String, _ transfer: Transfer, until end: ContinuousClock.Instant?, isNew: Bool = true
    ) {
        transfer.waitEnd = end
        transfer.wait = timeline?.beginWait(text, label: transfer.download.label)
        if isNew, !arguments.isQuiet { printError(text, of: transfer.download) }
    }

    func fetched(_ transfer: Transfer, _ response: URLResponse, time: Duration) {
        let size = transfer.progress?.completedBytes ?? 0
        let received = size - transfer.continuedBytes
        tally.fetched += 1
        tally.size += size
        tally.received += received
        if let coding = response.contentCoding {
            let end = response.hasVerifiedEnd ? "" : ", and may be incomplete"
            printError(
                "the server compressed the file (\(coding)); it was saved decompressed\(end)", of: transfer.download)
        }
        guard !arguments.isQuiet else { return }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 200
        let rate = console.isTerminal ? Format.rate(received, time) ?? "" : nil
        console.print(
            Format.line(
                status: status, size: size, time: time, rate: rate, path: transfer.download.path,
                console.style))
    }

    func failed(_ transfer: Transfer, _ error: any Error) {
        tally.failed += 1
        var text = explanation(transfer, transfer.progress).text(error)
        if transfer.attempts > 1 { text += " (after \(transfer.attempts) attempts)" }
        let keptBytes = arguments.continuesFiles ? transfer.download.keptBytes : 0
        if keptBytes > 0 { text += "; \(Format.size(keptBytes)) kept for --continue" }
        var line = Line()
        line.append(mark: console.errorStyle.failureMark)
        line.append(
            "\(console.errorStyle.usesColor ? "" : "fetch: ")\(transfer.download.url.withoutCredentials): \(text)")
        console.printError(line)
    }

    /// Writes a file to standard output.
    func copy(_ file: URL) throws { try console.write(contentsOf: file) }

    /// Prints the summary.
    func end(time: Duration) { say(tally.summary(time: time)) }

    /// Prints a line, unless `--quiet` is set.
    func say(_ text: String) {
        if !arguments.isQuiet { console.print(Line(text)) }
    }

    private func printError(_ text: String, of download: Download) {
        console.printError(Line("fetch: \(download.url.withoutCredentials): \(text)"))
    }

    private func explanation(_ transfer: Transfer, _ progress: TransferProgress?) -> Explanation {
        Explanation(path: transfer.download.path, timeout: arguments.timeout, progress: progress)
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
