package import Foundation

/// A file that a download is written to.
///
/// `@unchecked Sendable`: used by one thread at a time, as the ``DownloadFile`` that it belongs to sees to until it hands it
/// over.
package final class PartialFile: @unchecked Sendable {
    package let url: URL
    private let handle: FileHandle
    private let remove: @Sendable () -> Void
    /// In bytes.
    package private(set) var length: Int64 = 0
    package private(set) var isDeleted = false

    /// - Parameters:
    ///   - handle: What the file is written with; it is closed in the end.
    ///   - remove: Deletes the file, if it is still there.
    package init(url: URL, handle: FileHandle, remove: @escaping @Sendable () -> Void) {
        self.url = url
        self.handle = handle
        self.remove = remove
    }

    /// Creates one in the temporary directory.
    package convenience init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("NetworkIndicator-\(UUID()).download")
        let remove: @Sendable () -> Void = { try? FileManager.default.removeItem(at: url) }
        try Data().write(to: url, options: .withoutOverwriting)
        do {
            self.init(url: url, handle: try FileHandle(forWritingTo: url), remove: remove)
        } catch {
            remove()
            throw error
        }
    }

    /// Creates one at a URL.
    convenience init(at url: URL) throws {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw DownloadError.file(.create, url: url, code: POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        self.init(url: url, handle: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)) {
            try? FileManager.default.removeItem(at: url)
        }
    }

    func write(_ data: Data) throws {
        try handle.write(contentsOf: data)
        length += Int64(data.count)
    }

    /// - Throws: What some file systems tell only now, such as that there was no room.
    func close() throws { try handle.close() }

    package func delete() {
        guard !isDeleted else { return }
        isDeleted = true
        try? close()
        remove()
    }
}
