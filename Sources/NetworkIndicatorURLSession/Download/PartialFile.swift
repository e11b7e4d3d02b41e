import Foundation
import NetworkIndicator

/// A file that a download is written to until it is complete.
///
/// The delegate queue writes to it. Another thread may end it at any time, without waiting for a write in progress: the
/// writing thread then closes the file. A disk that doesn't respond therefore doesn't delay a cancelled call.
final class PartialFile: Sendable {
    private struct State {
        let descriptor: Int32
        /// A copy of the descriptor of a locked file.
        var lock: Int32?
        var length: Int64 = 0
        var isBusy = false
        var end: End?
    }

    /// What happens to the file when it is closed.
    enum End {
        case kept, removed
        /// The file is kept, and stays locked until ``unlock()``, so that it can be renamed.
        case complete
    }

    let url: URL
    private let state: Lock<State>

    /// - Parameters:
    ///   - url: The name of the file.
    ///   - descriptor: The open file. The object closes it.
    ///   - lock: A copy of the descriptor, if the file is locked. The object closes it.
    ///   - length: The number of bytes in the file.
    init(url: URL, descriptor: Int32, lock: Int32? = nil, length: Int64 = 0) {
        self.url = url
        state = Lock(State(descriptor: descriptor, lock: lock, length: length))
    }

    /// Creates a file. It must not exist yet.
    convenience init(creating url: URL, mode: mode_t = 0o666) throws(DownloadError) {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .file(.create, url: url, code: .current) }
        self.init(url: url, descriptor: descriptor)
    }

    /// Creates a file in the temporary directory.
    convenience init() throws(DownloadError) {
        let directory = FileManager.default.temporaryDirectory
        try self.init(creating: directory.appendingPathComponent("NetworkIndicator-\(UUID()).download"), mode: 0o600)
    }

    /// Opens or creates a file, and locks it, so that only one process at a time uses it.
    convenience init(continuing url: URL) throws(DownloadError) {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw .file(.create, url: url, code: .current) }
        let length: Int64
        do {
            length = try Self.lock(descriptor, of: url)
        } catch {
            Foundation.close(descriptor)
            throw error
        }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        self.init(url: url, descriptor: descriptor, lock: copy < 0 ? nil : copy, length: length)
    }

    /// Locks an open file.
    ///
    /// Another process may have renamed or removed the file since it was opened. It then counts as in use.
    ///
    /// - Returns: The length in bytes.
    static func lock(_ descriptor: Int32, of url: URL) throws(DownloadError) -> Int64 {
        var (status, named) = (stat(), stat())
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0 else {
            throw .file(.create, url: url, code: .current)
        }
        guard lstat(url.path, &named) == 0, (named.st_dev, named.st_ino) == (status.st_dev, status.st_ino) else {
            throw .file(.create, url: url, code: .EWOULDBLOCK)
        }
        return Int64(status.st_size)
    }

    deinit {
        end(.removed)
        unlock()
    }

    /// The length in bytes.
    var length: Int64 { state.withLock(\.length) }

    /// Appends to the file. Does nothing after ``end(_:)``.
    func write(_ data: Data) throws(DownloadError) {
        try use(.write) { descriptor in
            for region in data.regions {
                var rest = region[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                    guard count >= 0 || errno == EINTR else { return nil }
                    rest = rest.dropFirst(max(0, count))
                }
            }
            return Int64(data.count)
        }
    }

    /// Empties the file.
    func truncate() throws(DownloadError) {
        guard length > 0 else { return }
        let length = length
        try use(.write) { descriptor in
            ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0 ? -length : nil
        }
    }

    /// - Parameter body: Returns the growth of the file in bytes, or `nil` if it failed and `errno` has the reason.
    private func use(_ operation: DownloadError.FileOperation, _ body: (Int32) -> Int64?) throws(DownloadError) {
        let descriptor: Int32? = state.withLock { state in
            guard state.end == nil else { return nil }
            state.isBusy = true
            return state.descriptor
        }
        guard let descriptor else { return }
        let growth = body(descriptor)
        let code = POSIXErrorCode.current
        let end = state.withLock { state in
            state.isBusy = false
            state.length += growth ?? 0
            return state.end
        }
        if let end { _ = close(end) }
        if growth == nil { throw .file(operation, url: url, code: code) }
    }

    /// Closes the file. Idempotent.
    ///
    /// - Returns: `nil`, or an error that some file systems report only here, such as a full disk.
    @discardableResult
    func end(_ end: End) -> POSIXErrorCode? {
        let isBusy: Bool? = state.withLock { state in
            guard state.end == nil else { return nil }
            state.end = end
            return state.isBusy
        }
        return isBusy == false ? close(end) : nil
    }

    private func close(_ end: End) -> POSIXErrorCode? {
        // The name is removed first, while the lock is held, so that no other process opens the file in between.
        if case .removed = end { unlink(url.path) }
        // The file is closed before it is unlocked. On some network file systems, unlocking discards the errors of earlier
        // writes.
        let code: POSIXErrorCode? = Foundation.close(state.withLock(\.descriptor)) == 0 ? nil : .current
        if end != .complete { unlock() }
        return code
    }

    /// Permits other processes to use the file. Idempotent.
    func unlock() {
        let lock = state.withLock { state in
            defer { state.lock = nil }
            return state.lock
        }
        guard let lock else { return }
        // Closing isn't enough. A child process that another thread is just starting has the file open until its `exec`.
        flock(lock, LOCK_UN)
        Foundation.close(lock)
    }
}

extension POSIXErrorCode {
    /// The error of the last call of the C library.
    static var current: POSIXErrorCode { POSIXErrorCode(rawValue: errno) ?? .EIO }
}
