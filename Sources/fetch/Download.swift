import Foundation
import NetworkIndicatorTracing
import NetworkIndicatorTransfers

@MainActor
final class Download {
    enum State: String {
        case queued = "not begun", active, skipped, fetched, failed, interrupted
    }

    let url: URL
    let path: String
    let destination: URL
    let part: URL
    let transfer: TransferMeter.Transfer
    var state = State.queued
    var size: Int64 = 0
    var isVerifiable = true
    var retries = 0
    var waitText = ""
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
    /// The directory before a relative path prevents Foundation from expanding a tilde at the beginning of that path.
    init(path: String, in directory: String = ".") {
        self.init(filePath: path.hasPrefix("/") ? path : "\(directory)/\(path)", directoryHint: .notDirectory)
    }

    var fileSize: Int64? {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }
}
