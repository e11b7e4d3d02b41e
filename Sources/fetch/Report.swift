import Foundation
import NetworkIndicatorTracing
import NetworkIndicatorTransfers

/// Notes what happens to downloads, and prints it.
@MainActor
struct Report {
    let console: Console
    let timeline: TimelineRecorder?
    let maximumRetries: Int

    /// Notes an event, and prints why a download waits.
    func note(_ event: AttemptEvent, of download: Download) {
        switch event {
        case .started:
            download.state = .active
            download.transfer.start()
            download.wait?.end()
        case .receiving(_, let isVerifiable): download.isVerifiable = isVerifiable
        case .progress(let progress):
            download.progress = progress
            download.transfer.update(progress)
        case .willRetry(_, let failure, let delay):
            download.retries += 1
            let count = "\(download.retries + 1) of \(maximumRetries + 1)"
            wait("retrying in \(delay.text) (\(count)): \(failure)", download, until: .now + delay)
        case .waitingForConnectivity(let error):
            wait("waiting for the network: \(error.localizedDescription)", download, until: nil)
        case .finished: break
        }
    }

    private func wait(_ text: String, _ download: Download, until end: ContinuousClock.Instant?) {
        download.state = .waiting
        download.waitEnd = end
        download.wait = timeline?.beginWait(text, label: download.path)
        // While the machine is offline, each attempt ends with the same text.
        if download.waitText != text, !console.isQuiet { console.printError("\(download.url): \(text)") }
        download.waitText = text
    }

    /// Skips a file that exists. Only complete files have their final names.
    func skipIfFinished(_ download: Download) {
        guard let size = download.destination.fileSize else { return }
        download.state = .skipped
        download.transfer.finish()
        console.printFile(download.path, size, "exists")
    }

    /// Notes the end of a download, and prints its result.
    func end(_ download: Download, _ failure: (any Error)?, _ time: Duration) {
        download.transfer.finish()
        let kept = download.part.fileSize
        if let failure, !(failure is CancellationError) {
            download.state = .failed
            // An error about a file is no reason to try again.
            let hint = failure is DownloadError ? nil : kept.map { "; kept \($0.bytesText), resume with -c" }
            console.printError("\(download.url): \(failure.reason)\(hint ?? "")", mark: console.failureMark)
        } else if failure != nil {
            download.state = .interrupted
            if let kept { console.printError("kept \(kept.bytesText) of \(download.path)") }
        } else {
            download.state = .fetched
            if !download.isVerifiable {
                console.printError("\(download.path): may be incomplete; the server compresses it, or sends no length")
            }
            console.printFile(download.path, download.progress.completedBytes, time.text)
        }
    }

    /// Prints how to resume interrupted downloads, and the summary of several.
    func end(_ batch: Batch, _ time: Duration) {
        let canResume = batch.downloads.contains { $0.state == .interrupted && $0.part.fileSize != nil }
        if canResume { console.printError("run the same command with -c to resume") }
        if batch.downloads.count > 1 { console.print(batch.summary(time)) }
    }
}
