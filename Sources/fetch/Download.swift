import Foundation
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

    init(_ url: URL, path: String, in directory: String, meter: TransferMeter) {
        self.url = url
        self.path = path
        destination = URL(path: path, in: directory)
        part = DownloadOptions.partialFile(for: destination)
        transfer = meter.beginTransfer(label: destination.lastPathComponent, completedBytes: part.fileSize ?? 0)
    }

    /// The size of a part that a later run can resume. On a full disk, its description lacks the last brace (0x7D).
    var kept: Int64? { FileManager.default.contents(atPath: part.path + ".info")?.last == 0x7D ? part.fileSize : nil }

    /// Returns safe names for the files of the URLs. Even on a file system that ignores case, they differ.
    static func names(for urls: [URL]) -> [String] {
        var taken: Set<String> = []
        return urls.map { url in
            let name = url.suggestedFilename
            var (candidate, number) = (name, 2)
            while !taken.insert(candidate.lowercased()).inserted {
                let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
                candidate = "\(name[..<dot])-\(number)\(name[dot...])"
                number += 1
            }
            return candidate
        }
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
