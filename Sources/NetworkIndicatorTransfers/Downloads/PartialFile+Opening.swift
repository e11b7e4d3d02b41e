import Foundation

/// The ways to open a file.
extension PartialFile {
    /// Creates a file. It must not exist yet.
    convenience init(creating url: URL, mode: mode_t = 0o666, in directory: URL? = nil) throws(DownloadError) {
        let (descriptor, code) = url.withPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
        guard descriptor >= 0 else { throw .file(.create, url: url, code: code) }
        self.init(.new(directory: directory), url: url, descriptor: descriptor)
    }

    /// Uses a copy of a descriptor of the caller.
    convenience init(streamingTo stream: Int32, url: URL) throws(DownloadError) {
        let descriptor = fcntl(stream, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .file(.write, url: url, code: .current) }
        self.init(.stream, url: url, descriptor: descriptor)
    }

    /// Creates a file in the temporary directory.
    convenience init() throws(DownloadError) {
        let directory = FileManager.default.temporaryDirectory
        try self.init(creating: directory.appendingPathComponent("NetworkIndicator-\(UUID()).download"), mode: 0o600)
    }

    /// Opens or creates a file, and locks it, so that only one process at a time uses it.
    convenience init(resuming url: URL) throws(DownloadError) {
        // Without O_NONBLOCK, opening a FIFO would wait for its reader.
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let (descriptor, code) = url.withPath { open($0, flags, 0o666) }
        guard descriptor >= 0 else { throw .file(.create, url: url, code: code) }
        let length: Int64
        do {
            length = try Self.lock(descriptor, of: url)
        } catch {
            Foundation.close(descriptor)
            throw error
        }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        self.init(.resumable, url: url, descriptor: descriptor, lock: copy < 0 ? nil : copy, length: length)
    }

    /// Locks an open file.
    ///
    /// Another process may have renamed or removed the file since it was opened. Such a file is treated as in use.
    ///
    /// - Returns: The length in bytes.
    static func lock(_ descriptor: Int32, of url: URL) throws(DownloadError) -> Int64 {
        var (status, named) = (stat(), stat())
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0 else {
            let code = POSIXErrorCode.current
            throw .file(.create, url: url, code: code)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .file(.create, url: url, code: .ENXIO) }
        let (result, _) = url.withPath { lstat($0, &named) }
        guard result == 0, (named.st_dev, named.st_ino) == (status.st_dev, status.st_ino) else {
            throw .file(.create, url: url, code: .EWOULDBLOCK)
        }
        return Int64(status.st_size)
    }
}

extension URL {
    /// Calls a function of the C library with the path, and reads `errno` before anything else runs.
    func withPath(_ call: (UnsafePointer<CChar>) -> Int32) -> (result: Int32, code: POSIXErrorCode) {
        path.withCString { path in
            let result = call(path)
            return (result, .current)
        }
    }
}

extension POSIXErrorCode {
    /// The error of the last call of the C library.
    static var current: POSIXErrorCode { POSIXErrorCode(rawValue: errno) ?? .EIO }
}
