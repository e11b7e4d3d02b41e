import Foundation
import NetworkIndicator

/// The file that a download is to become, and the partial one beside it.
struct DownloadDestination: Sendable {
    let url: URL
    let options: DownloadOptions
    private let partialURL: URL
    /// Describes the partial file to a later process.
    private let infoURL: URL

    /// - Throws: If there is a file that must not be replaced, or a directory.
    init(_ url: URL, _ options: DownloadOptions) throws(DownloadError) {
        self.url = url
        self.options = options
        let folder = url.deletingLastPathComponent()
        let name = url.lastPathComponent
        let mark = UUID().uuidString.prefix(8)
        let standard =
            folder.appendingPathComponent(options.keepsPartialFile ? "\(name).part" : ".\(name).\(mark).part")
        partialURL = options.partialFile ?? standard
        infoURL = partialURL.appendingPathExtension("info")
        var status = stat()
        if lstat(url.path, &status) == 0 {
            guard status.st_mode & S_IFMT != S_IFDIR else { throw .file(.create, url: url, code: .EISDIR) }
            guard options.replacesDestination else { throw .file(.create, url: url, code: .EEXIST) }
        }
    }

    /// Opens the partial file.
    ///
    /// - Returns: The file and, if it can be continued, what it has.
    func open() throws(DownloadError) -> (PartialFile, ResumePoint?) {
        guard options.keepsPartialFile else { return (try PartialFile(creating: partialURL), nil) }
        let file = try PartialFile(continuing: partialURL)
        let info = try? JSONDecoder().decode(ResumePoint.self, from: Data(contentsOf: infoURL))
        return (file, info)
    }

    /// Says what the partial file has. Before its first byte, so that the description never is that of another file.
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

    /// Gives the complete file its name.
    func take(_ file: PartialFile) throws(DownloadError) {
        if let code = file.end(.kept) {
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

    /// - Returns: Whether it succeeded. If not, `errno` says why.
    private func moveUnlessTaken(_ partial: URL) -> Bool {
        // A second name fails where the name is taken: there is no moment in between.
        if link(partial.path, url.path) == 0 { return unlink(partial.path) == 0 }
        guard [EPERM, ENOSYS, ENOTSUP, EOPNOTSUPP, EMLINK].contains(errno) else { return false }
        // A file system without second names: take the name with an empty file, then replace that.
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
