import Foundation

#if canImport(FoundationNetworking)
import CLibcurl
#endif

struct OpenFile {
    let url: URL
    let descriptor: Int32
    private(set) var length: Int64

    init(_ url: URL, mode: mode_t = 0o666) throws(DownloadError) {
        let flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW
        var (descriptor, code) = url.withPath { open($0, flags | O_CREAT | O_EXCL, mode) }
        let isNew = descriptor >= 0
        if !isNew, code == .EEXIST {
            // Without `O_NONBLOCK`, opening a FIFO would wait for a reader.
            (descriptor, code) = url.withPath { open($0, flags | O_NONBLOCK) }
            // Another download can have removed the file in the meantime.
            if code == .ENOENT { code = .EWOULDBLOCK }
        }
        guard descriptor >= 0 else { throw .file(.create, url: url, code: code == .ELOOP ? .ENXIO : code) }
        do throws(DownloadError) {
            length = Int64(try Self.lock(descriptor, of: url, isNew: isNew).st_size)
        } catch {
            Foundation.close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.url = url
    }

    /// The owner of a new file isn't checked, because some network file systems report another owner.
    static func lock(_ descriptor: Int32, of url: URL, isNew: Bool = false) throws(DownloadError) -> stat {
        func failure(_ code: POSIXErrorCode) -> DownloadError { .file(.create, url: url, code: code) }
        var status = stat()
        // Apple's systems kill an app that is suspended while it holds a lock in the container of an App Group
        // (0xdead10cc). There, and on file systems on which `flock` fails with another error, `append(_:)` detects
        // whether another download has changed the file's length.
        let isFree =
            url.path.contains("/Shared/AppGroup/") || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
        guard isFree else { throw failure(.EWOULDBLOCK) }
        guard fstat(descriptor, &status) == 0 else { throw failure(.current) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure(.ENXIO) }
        // Another download may have moved or removed the file between `open` and `flock`.
        guard url.isName(of: status) else { throw failure(.EWOULDBLOCK) }
        // If the file has another hard link, a write would also change the file under its other name.
        guard status.st_nlink == 1 else { throw failure(.EMLINK) }
        // In a shared directory, another user can have planted the file.
        guard isNew || status.st_uid == geteuid() else { throw failure(.EPERM) }
        return status
    }

    mutating func append(_ data: Data) throws(DownloadError) {
        var rest = data
        while !rest.isEmpty {
            let (count, code) = rest.withUnsafeBytes {
                (write(descriptor, $0.baseAddress, $0.count), POSIXErrorCode.current)
            }
            guard count >= 0 || code == .EINTR else { throw .file(.write, url: url, code: code) }
            length += Int64(max(0, count))
            rest = rest.dropFirst(max(0, count))
        }
        // With `O_APPEND`, `write` starts at the current end of the file. After the write, the file offset therefore
        // differs from `length` if another program has changed the file's length.
        guard lseek(descriptor, 0, SEEK_CUR) == length else { throw .file(.write, url: url, code: .ESTALE) }
    }

    mutating func truncate(to length: Int64) throws(DownloadError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw .file(.write, url: url, code: .current) }
        self.length = length
    }

    /// `nil` if the file has been moved or removed.
    var status: stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 && url.isName(of: status) ? status : nil
    }

    func check() throws(DownloadError) {
        // Some file systems report the errors of earlier writes, such as a full disk, when a descriptor is closed. This
        // method closes a duplicate, because closing the original would unlock the file. A process that has too many
        // open files can't create one.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy < 0 || Foundation.close(copy) == 0 else { throw .file(.write, url: url, code: .current) }
        guard status?.st_size == off_t(length) else { throw .file(.write, url: url, code: .ESTALE) }
    }

    func close() {
        // Closing alone might not unlock the file: a child process can hold a copy of the descriptor between `fork` and
        // `exec`.
        flock(descriptor, LOCK_UN)
        Foundation.close(descriptor)
    }
}

extension OpenFile {
    func end(keeping part: ResumePoint?) {
        if let part, (try? check()) != nil { writeDescription(part) } else { remove() }
        close()
    }

    /// - Parameter destination: The file is moved unless this is its own URL.
    func complete(as destination: URL, replaces: Bool, _ part: ResumePoint?) throws(DownloadError) {
        // The file stays locked until it has its new name, because another process could otherwise truncate the file.
        defer { close() }
        do throws(DownloadError) { try check() } catch {
            remove()
            throw error
        }
        if destination == url { return }
        if let code = move(to: destination, replaces: replaces) {
            if let part { writeDescription(part) }
            throw .notMoved(url: url, destination: destination, code: code)
        }
        unlink(url.descriptionURL.path)
    }

    private func move(to destination: URL, replaces: Bool) -> POSIXErrorCode? {
        if Self.renameExclusively(url, to: destination) { return nil }
        if let obstacle = destination.obstacle(replaces: replaces) { return obstacle }
        // A file system without permissions can refuse to set them. The file isn't readable by more users in this case,
        // because it was created with these permissions.
        if let mode = destination.permissions { fchmod(descriptor, mode) }
        let (result, code) = url.withPath { rename($0, destination.path) }
        return result == 0 ? nil : code
    }

    /// Checking and creating the name are one atomic step, if the file system supports it.
    static func renameExclusively(_ url: URL, to destination: URL) -> Bool {
        #if canImport(Darwin)
        renamex_np(url.path, destination.path, UInt32(RENAME_EXCL)) == 0
        #else
        ni_rename_exclusively(url.path, destination.path) == 0
        #endif
    }

    /// Call this method before the file is unlocked, so that no other process can lock the file before its removal.
    private func remove() {
        if status != nil { unlink(url.path) }
        unlink(url.descriptionURL.path)
    }
}

extension URL {
    /// Reads `errno` before any other code can change it.
    func withPath(_ call: (UnsafePointer<CChar>) -> Int32) -> (result: Int32, code: POSIXErrorCode) {
        path.withCString { path in
            let result = call(path)
            return (result, .current)
        }
    }

    /// `nil` if the file can't be examined, for example because it doesn't exist.
    func status(followsLinks: Bool = true) -> stat? {
        var status = stat()
        let (result, _) = withPath { followsLinks ? stat($0, &status) : lstat($0, &status) }
        return result == 0 ? status : nil
    }

    func isName(of status: stat) -> Bool {
        guard let named = self.status(followsLinks: false) else { return false }
        return (named.st_dev, named.st_ino) == (status.st_dev, status.st_ino)
    }
}

extension POSIXErrorCode {
    static var current: POSIXErrorCode { POSIXErrorCode(rawValue: errno) ?? .EIO }
}
