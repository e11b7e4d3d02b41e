import Foundation
import NetworkIndicatorTracing
import NetworkIndicatorTransfers

/// A file to fetch, and how far it is.
@MainActor
final class Download {
    /// The raw values are words of the summary.
    enum State: String {
        case queued = "not begun"
        case active, waiting, skipped, fetched, failed, interrupted
    }

    let url: URL
    /// The path of the finished file, for messages.
    let path: String
    let destination: URL
    /// The file that receives the bytes until they are complete. A later run can resume it.
    let part: URL
    let transfer: TransferMeter.Transfer
    var state = State.queued
    var progress = TransferProgress(completedBytes: 0)
    /// Whether a truncated file would be noticed.
    var isVerifiable = true
    var retries = 0
    /// When the next attempt begins; `nil` if the download waits for the network. Valid while it waits.
    var waitEnd: ContinuousClock.Instant?
    /// Why the download waited last.
    var waitText = ""
    /// The current wait in the timeline.
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
    /// Returns the URL of a path. Without a directory before it, Foundation expands a tilde at the beginning of a path.
    init(path: String, in directory: String = ".") {
        self.init(filePath: path.hasPrefix("/") ? path : "\(directory)/\(path)", directoryHint: .notDirectory)
    }

    /// The size of a regular file, or `nil` for everything else. A link stands for its target.
    var fileSize: Int64? {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }
}
