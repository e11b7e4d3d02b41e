import Foundation
import NetworkIndicatorTracing
import NetworkIndicatorTransfers

@MainActor
final class Download {
    /// The raw values appear in the summary.
    enum State: String {
        case queued = "not begun"
        case active, waiting, skipped, fetched, failed, interrupted
    }

    let url: URL
    /// The path of the complete file, for messages.
    let path: String
    let destination: URL
    /// The partial file, which receives the bytes until the download is complete. A later run can resume the download
    /// from this file.
    let part: URL
    let transfer: TransferMeter.Transfer
    var state = State.queued
    var progress = TransferProgress(completedBytes: 0)
    /// Whether a truncated response would be detected.
    var isVerifiable = true
    var retries = 0
    /// The time at which the next attempt begins, or `nil` if the download waits for the network. The value is valid
    /// only in the state `waiting`.
    var waitEnd: ContinuousClock.Instant?
    /// The text that describes the latest wait.
    var waitText = ""
    /// The latest wait in the timeline.
    var wait: TimelineRecorder.Wait?

    init(_ url: URL, path: String, in directory: String, meter: TransferMeter) {
        self.url = url
        self.path = path
        destination = URL(path: path, in: directory)
        part = DownloadOptions.partialFile(for: destination)
        transfer = meter.beginTransfer(label: destination.lastPathComponent, completedBytes: part.fileSize ?? 0)
    }
}

extension URL {
    /// Creates the URL of a path. A relative path gets the directory as a prefix, so that Foundation doesn't expand a
    /// tilde at its beginning.
    init(path: String, in directory: String = ".") {
        self.init(filePath: path.hasPrefix("/") ? path : "\(directory)/\(path)", directoryHint: .notDirectory)
    }

    /// The size of a regular file, or `nil` if the URL doesn't refer to one. A symbolic link counts as its target.
    var fileSize: Int64? {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }
}
