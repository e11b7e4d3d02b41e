import Foundation
import NetworkIndicatorURLSession

/// A file to fetch.
struct Download: Sendable {
    let url: URL
    /// The path of the finished file, for messages.
    let path: String
    let destination: URL

    /// - Parameter isForOutput: Whether the file is copied to standard output.
    init(url: URL, path: String, isForOutput: Bool = false) {
        self.url = url
        self.path = isForOutput ? "-" : path
        // The path is made absolute, because Foundation would expand a tilde at its beginning.
        let start = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
        destination = URL(fileURLWithPath: start + path, isDirectory: false)
    }

    /// The file that receives the bytes until they are complete.
    ///
    /// - Parameter isKept: Whether a later run continues it. Otherwise its name is random, so that two runs never share it.
    func partialFile(isKept: Bool) -> URL {
        let mark = isKept ? nil : String(UInt32.random(in: .min ... .max), radix: 36)
        let name = FileName.partial(of: destination.lastPathComponent, mark: mark)
        return destination.deletingLastPathComponent().appendingPathComponent(name, isDirectory: false)
    }

    /// The name in the timeline, which is unique.
    var label: String { "\(path) (\(url.withoutCredentials))" }

    /// The number of bytes that an earlier run has kept.
    var keptBytes: Int64 {
        var status = stat()
        guard lstat(partialFile(isKept: true).path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
        return Int64(status.st_size)
    }
}
