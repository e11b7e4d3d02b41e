import Foundation
import NetworkIndicatorTracing
import NetworkIndicatorTransfers

@MainActor
struct Report {
    let console: Console
    let timeline: TimelineRecorder?
    let maximumRetries: Int
    /// Whether parts of files remain after the run. The demonstration removes its directory.
    let keepsParts: Bool

    func note(_ event: AttemptEvent, of download: Download) {
        switch event {
        case .started:
            download.isVerifiable = true
            download.wait?.end()
        case .receiving(_, let isVerifiable): download.isVerifiable = isVerifiable
        case .willRetry(_, let failure, let delay):
            download.retries += 1
            let count = "\(download.retries + 1) of \(maximumRetries + 1)"
            wait("retrying in \(delay.text) (\(count)): \(failure)", download)
        case .waitingForConnectivity(let error):
            wait("waiting for the network: \(error.localizedDescription)", download)
        case .progress, .finished: break
        }
    }

    private func wait(_ text: String, _ download: Download) {
        download.wait = timeline?.beginWait(text, label: download.path)
        if download.waitText != text, !console.isQuiet { console.printError("\(download.url): \(text)") }
        download.waitText = text
        console.redraw()
    }

    func skipIfFinished(_ download: Download) {
        guard let size = download.destination.fileSize else { return }
        download.state = .skipped
        download.transfer.finish()
        console.printFile(download.path, size, "exists")
    }

    func end(_ download: Download, _ failure: (any Error)?, _ time: Duration) {
        download.transfer.finish()
        let kept = failure != nil && keepsParts ? download.part.fileSize : nil
        if let failure, !(failure is CancellationError) {
            download.state = .failed
            let isFull = if case DownloadError.file(.write, _, .ENOSPC) = failure { true } else { false }
            let canResume = isFull || !(failure is DownloadError)
            let hint = canResume ? kept.map { "; kept \($0.bytesText), resume with -c" } : nil
            console.printError("\(download.url): \(failure.reason)\(hint ?? "")", mark: console.failureMark)
        } else if failure != nil {
            download.state = .interrupted
            if let kept { console.printError("kept \(kept.bytesText) of \(download.path)") }
        } else {
            download.state = .fetched
            download.size = download.destination.fileSize ?? 0
            if !download.isVerifiable {
                console.printError("\(download.path): may be incomplete; the server compresses it, or sends no length")
            }
            console.printFile(download.path, download.size, time.text)
        }
    }

    func end(_ batch: Batch, _ time: Duration) {
        if keepsParts, batch.downloads.contains(where: { $0.state == .interrupted && $0.part.fileSize != nil }) {
            console.printError("run the same command with -c to resume")
        }
        if batch.downloads.count > 1 { console.print(batch.summary(time)) }
    }
}
