import Foundation
import NetworkIndicator

/// The destination of a download, and the partial file beside it.
struct DownloadDestination: Sendable {
    let url: URL
    let options: DownloadOptions
    private let partialURL: URL
    /// The file that describes the partial file, for a later process.
    private var infoURL: URL { partialURL.appendingPathExtension("info") }

    /// - Throws: ``DownloadError`` if the destination is a directory, or a file that must not be replaced.
    init(_ url: URL, _ options: DownloadOptions) throws(DownloadError) {
        self.url = url
        self.options = options
        partialURL = options.partialFile(for: url)
        var status = stat()
        if lstat(url.path, &status) == 0 {
            guard status.st_mode & S_IFMT != S_IFDIR else { throw .file(.create, url: url, code: .EISDIR) }
            guard options.replacesDestination else { throw .file(.create, url: url, code: .EEXIST) }
        }
    }

    /// Opens the partial file.
    ///
    /// - Returns: The file and, if it can be continued, the description of its contents.
    func open() throws(DownloadError) -> (PartialFile, ResumePoint?) {
        guard options.keepsPartialFile else { return (try PartialFile(creating: partialURL), nil) }
        let file = try PartialFile(continuing: partialURL)
        let info = try? JSONDecoder().decode(ResumePoint.self, from: Data(contentsOf: infoURL))
        return (file, info)
    }

    /// Writes the description of the partial file. Call this before the first byte is written, so that the description
    /// never belongs to another file.
    func writeInfo(_ part: ResumePoint?) throws(DownloadError) {
        guard options.keepsPartialFile, let part else { return }
        do {
            try JSONEncoder().encode(part).write(to: infoURL, options: .atomic)
        } catch {
            throw .file(.write, url: infoURL, code: .current)
        }
    }

    func removeInfo() {
        if options.keepsPartialFile { unlink(infoURL.path) }
    }

    /// Renames the complete file to the destination.
    func take(_ file: PartialFile) throws(DownloadError) {
        // The file stays locked until it has its new name. Another process could otherwise truncate it.
        defer { file.unlock() }
        if let code = file.end(.complete) {
            unlink(file.url.path)
            throw .file(.write, url: url, code: code)
        }
        let isMoved = options.replacesDestination ? rename(file.url.path, url.path) == 0 : moveUnlessTaken(file.url)
        guard isMoved else {
            let code = POSIXErrorCode.current
            unlink(file.url.path)
            removeInfo()
            throw .file(.rename, url: url, code: code)
        }
        removeInfo()
    }

    /// - Returns: Whether it succeeded. If not, `errno` has the reason.
    private func moveUnlessTaken(_ partial: URL) -> Bool {
        // A hard link fails if the name exists. The check and the creation are one atomic step.
        if link(partial.path, url.path) == 0 { return unlink(partial.path) == 0 }
        guard [EPERM, ENOSYS, ENOTSUP, EOPNOTSUPP, EMLINK].contains(errno) else { return false }
        // The file system has no hard links. Create an empty file with the name, and replace it.
        let descriptor = Foundation.open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        if rename(partial.path, url.path) == 0 { return true }
        let code = errno
        unlink(url.path)
        errno = code
        return false
    }
}
