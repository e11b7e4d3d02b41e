import Foundation

/// An open and locked file, which one thread at a time uses.
///
/// Its functions throw `DownloadError.file`. Their code is `ESTALE` if another program has changed the file.
struct OpenFile {
    private let url: URL
    let descriptor: Int32
    /// The number of bytes in the file.
    private(set) var length: Int64

    /// Opens or creates a file, and locks it.
    init(_ url: URL, mode: mode_t) throws(DownloadError) {
        // Without O_NONBLOCK, opening a FIFO would wait for its reader.
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let (descriptor, code) = url.withPath { open($0, flags, mode) }
        guard descriptor >= 0 else { throw .file(.create, url: url, code: code == .ELOOP ? .ENXIO : code) }
        do throws(DownloadError) {
            length = try Self.lock(descriptor, of: url)
        } catch {
            Foundation.close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.url = url
    }

    /// Locks a file, and checks that it is a regular file with this name and no other.
    ///
    /// - Returns: The length in bytes.
    static func lock(_ descriptor: Int32, of url: URL) throws(DownloadError) -> Int64 {
        func failure(_ code: POSIXErrorCode) -> DownloadError { .file(.create, url: url, code: code) }
        var status = stat()
        // Not every file system has locks. Without one, `append(_:)` finds the bytes of another process.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { throw failure(.EWOULDBLOCK) }
        guard fstat(descriptor, &status) == 0 else { throw failure(.current) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure(.ENXIO) }
        // Another process may have renamed or removed the file since it was opened.
        guard url.isName(of: status) else { throw failure(.EWOULDBLOCK) }
        // Under its other name, the file must not change.
        guard status.st_nlink == 1 else { throw failure(.EMLINK) }
        return Int64(status.st_size)
    }

    mutating func append(_ data: Data) throws(DownloadError) {
        for region in data.regions {
            var rest = region[...]
            while !rest.isEmpty {
                let (count, code) = rest.withUnsafeBytes {
                    (write(descriptor, $0.baseAddress, $0.count), POSIXErrorCode.current)
                }
                guard count >= 0 || code == .EINTR else { throw .file(.write, url: url, code: code) }
                length += Int64(max(0, count))
                rest = rest.dropFirst(max(0, count))
            }
        }
        // The position is the end of the appended bytes, unless another program has changed the length.
        guard lseek(descriptor, 0, SEEK_CUR) == length else { throw .file(.write, url: url, code: .ESTALE) }
    }

    /// Shortens the file to `length` bytes, unless it is shorter.
    mutating func truncate(to length: Int64) throws(DownloadError) {
        guard length < self.length else { return }
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw .file(.write, url: url, code: .current) }
        self.length = length
    }

    /// Whether the file still has its name.
    var isNamed: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && url.isName(of: status)
    }

    /// Throws an error unless the file holds what was written, under its name.
    func check() throws(DownloadError) {
        // Some file systems report the errors of earlier writes, such as a full disk, when a descriptor is closed. The
        // file itself stays open, because closing it unlocks it.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, Foundation.close(copy) == 0 else { throw .file(.write, url: url, code: .current) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, url.isName(of: status), status.st_size == length else {
            throw .file(.write, url: url, code: .ESTALE)
        }
    }

    /// Unlocks and closes the file.
    func close() {
        // Closing isn't enough. A child process that another thread is just starting has the file open until its `exec`.
        flock(descriptor, LOCK_UN)
        Foundation.close(descriptor)
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

    /// Whether this is the name of the file with a status.
    fileprivate func isName(of status: stat) -> Bool {
        var named = stat()
        guard withPath({ lstat($0, &named) }).result == 0 else { return false }
        return (named.st_dev, named.st_ino) == (status.st_dev, status.st_ino)
    }
}

extension POSIXErrorCode {
    /// The error of the last call of the C library.
    static var current: POSIXErrorCode { POSIXErrorCode(rawValue: errno) ?? .EIO }
}
