import Foundation
import NetworkIndicatorTracing
import NetworkIndicatorTransfers

/// A file to fetch, and the state of its download.
@MainActor
final class Download {
    /// The state of a download. The raw values appear in the summary.
    enum State: String {
        case queued = "not begun"
        case active, waiting, skipped, fetched, failed, interrupted
    }

    let url: URL
    /// The path of the finished file, for messages.
    let path: String
    let destination: URL
    /// The file that receives the bytes until the download is complete. A later run can resume the download from this
    /// file.
    let part: URL
    let transfer: TransferMeter.Transfer
    var state = State.queued
    /// The number of bytes of the fetched file.
    var size: Int64 = 0
    /// Whether a truncated response would be detected.
    var isVerifiable = true
    var retries = 0
    /// The time at which the next attempt begins, or `nil` if the download waits for the network. Valid while the
    /// download waits.
    var waitEnd: ContinuousClock.Instant?
    /// The reason for the last wait.
    var waitText = ""
    /// The current wait, as recorded in the timeline.
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
    /// Creates the URL of a path. The directory before the path prevents Foundation from expanding a tilde at the
    /// beginning.
    init(path: String, in directory: String = ".") {
        self.init(filePath: path.hasPrefix("/") ? path : "\(directory)/\(path)", directoryHint: .notDirectory)
    }

    /// The size of a regular file, or `nil` for everything else. For a symbolic link, this is the size of the target.
    var fileSize: Int64? {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }
}
