import Foundation
import NetworkIndicator

/// A file that a download is written to until it is complete.
///
/// The delegate queue writes to it. Another thread may end it at any time, without waiting for a write in progress: the
/// writing thread then closes the file. A disk that doesn't respond therefore doesn't delay a cancelled call.
final class PartialFile: Sendable {
    enum Kind {
        /// A new file. If it was created in a directory of its own, that directory is removed with the file.
        case new(directory: URL?)
        /// A locked file that a later process can resume, with a description in another file.
        case resumable
        /// An open file of the caller, which is neither emptied, nor moved, nor removed.
        case stream
    }

    /// What happens to the file when it is closed.
    enum End {
        case kept, removed
        /// The file is kept, and stays locked until ``unlock()``, so that it can be renamed.
        case complete
    }

    private struct State {
        let descriptor: Int32
        /// A copy of the descriptor of a locked file.
        var lock: Int32?
        var length: Int64
        /// The number of calls that are using the descriptor.
        var users = 0
        var end: End?
    }

    let url: URL
    private let kind: Kind
    private let state: Lock<State>

    /// - Parameters:
    ///   - url: The name of the file.
    ///   - descriptor: The open file. The object closes it.
    ///   - lock: A copy of the descriptor, if the file is locked. The object closes it.
    ///   - length: The number of bytes in the file.
    init(_ kind: Kind, url: URL, descriptor: Int32, lock: Int32? = nil, length: Int64 = 0) {
        self.url = url
        self.kind = kind
        state = Lock(State(descriptor: descriptor, lock: lock, length: length))
    }

    deinit {
        end(.removed)
        unlock()
    }

    /// The length in bytes.
    var length: Int64 { state.withLock(\.length) }

    private var isStream: Bool { if case .stream = kind { true } else { false } }

    /// Appends to the file. Does nothing after ``end(_:)``.
    func write(_ data: Data) throws(DownloadError) {
        try use { descriptor throws(DownloadError) in
            for region in data.regions {
                var rest = region[...]
                while !rest.isEmpty {
                    let (count, code) = rest.withUnsafeBytes { bytes in
                        let count = Foundation.write(descriptor, bytes.baseAddress, bytes.count)
                        return (count, POSIXErrorCode.current)
                    }
                    if count < 0, code == .EAGAIN {
                        // The descriptor of a caller may be a pipe that doesn't block.
                        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                        poll(&entry, 1, -1)
                    } else if count < 0, code != .EINTR {
                        throw .file(.write, url: url, code: code)
                    }
                    rest = rest.dropFirst(max(0, count))
                }
            }
            return Int64(data.count)
        }
    }

    /// Empties the file, and removes its description. Does nothing after ``end(_:)``.
    func truncate() throws(DownloadError) {
        let length = length
        if isStream, length > 0 { throw .file(.write, url: url, code: .ESPIPE) }
        try use { descriptor throws(DownloadError) in
            removeInfo()
            guard length == 0 || ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0 else {
                throw .file(.write, url: url, code: .current)
            }
            return -length
        }
    }

    /// - Parameter body: Returns the growth of the file in bytes.
    private func use(_ body: (Int32) throws(DownloadError) -> Int64) throws(DownloadError) {
        let descriptor: Int32? = state.withLock { state in
            guard state.end == nil else { return nil }
            state.users += 1
            return state.descriptor
        }
        guard let descriptor else { return }
        let growth = Result { () throws(DownloadError) in try body(descriptor) }
        let end = state.withLock { state in
            state.users -= 1
            state.length += (try? growth.get()) ?? 0
            return state.users == 0 ? state.end : nil
        }
        if let end { _ = close(end) }
        _ = try growth.get()
    }

    /// Closes the file. Idempotent.
    ///
    /// - Returns: `nil`, or an error that some file systems report only here, such as a full disk.
    @discardableResult
    func end(_ end: End) -> POSIXErrorCode? {
        let closes = state.withLock { state in
            guard state.end == nil else { return false }
            state.end = end
            return state.users == 0
        }
        return closes ? close(end) : nil
    }

    private func close(_ end: End) -> POSIXErrorCode? {
        // The name is removed first, while the lock is held, so that no other process opens the file in between.
        if case .removed = end { remove() }
        // The file is closed before it is unlocked. On some network file systems, unlocking discards the errors of
        // earlier writes.
        let code: POSIXErrorCode? = Foundation.close(state.withLock(\.descriptor)) == 0 ? nil : .current
        if end != .complete { unlock() }
        return code
    }

    private func remove() {
        if isStream { return }
        unlink(url.path)
        removeCompanions()
    }

    /// Removes what isn't needed without the file.
    private func removeCompanions() {
        removeInfo()
        if case .new(let directory?) = kind { rmdir(directory.path) }
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

/// The final name.
extension PartialFile {
    /// Closes the complete file, and gives it its final name. If renaming fails, a resumable file with a description keeps
    /// its present name, and a later call repeats only the renaming.
    func move(to destination: URL, replaces: Bool, _ part: ResumePoint?) throws(DownloadError) {
        // The file stays locked until it has its new name. Another process could otherwise truncate it.
        defer { unlock() }
        if let code = end(.complete) {
            remove()
            throw .file(.write, url: destination, code: code)
        }
        if isStream { return }
        if let code = replaces ? rename(to: destination) : link(to: destination) {
            if var part, isResumable {
                part.total = length
                try? writeInfo(part)
            }
            throw .notMoved(url: url, destination: destination, code: code)
        }
        removeCompanions()
    }

    private func rename(to destination: URL) -> POSIXErrorCode? { call(Foundation.rename, destination) }

    /// Gives the file a name that doesn't exist yet.
    private func link(to destination: URL) -> POSIXErrorCode? {
        // A hard link fails if the name exists. The check and the creation are one atomic step.
        guard let failure = call(Foundation.link, destination) else {
            unlink(url.path)
            return nil
        }
        // Not every file system has hard links.
        return failure == .EEXIST ? failure : replaceNewFile(destination)
    }

    /// Creates an empty file with a name that doesn't exist yet, and replaces it.
    func replaceNewFile(_ destination: URL) -> POSIXErrorCode? {
        let (descriptor, code) = destination.withPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { return code }
        Foundation.close(descriptor)
        guard let failure = rename(to: destination) else { return nil }
        unlink(destination.path)
        return failure
    }

    private func call(
        _ function: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32, _ destination: URL
    ) -> POSIXErrorCode? {
        url.path.withCString { source in
            destination.path.withCString { function(source, $0) == 0 ? nil : .current }
        }
    }
}

/// The description of a part, for a later process.
extension PartialFile {
    /// Whether a later process can resume the file.
    var isResumable: Bool { if case .resumable = kind { true } else { false } }

    private var infoURL: URL { url.appendingPathExtension("info") }

    /// The description, unless it is missing or incomplete.
    var info: ResumePoint? {
        isResumable ? try? JSONDecoder().decode(ResumePoint.self, from: Data(contentsOf: infoURL)) : nil
    }

    /// Writes the description, if a later process can resume the file. Does nothing after ``end(_:)``.
    ///
    /// Call this before the first byte is written, so that the description never belongs to another file.
    func describe(_ part: ResumePoint) throws(DownloadError) {
        guard isResumable else { return }
        try use { _ throws(DownloadError) in
            try writeInfo(part)
            return 0
        }
    }

    private func writeInfo(_ info: ResumePoint) throws(DownloadError) {
        // An atomic write would leave its temporary file behind if the process is killed. An incomplete description
        // can't be decoded.
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let (descriptor, code) = infoURL.withPath { open($0, flags, 0o666) }
        guard descriptor >= 0 else { throw .file(.create, url: infoURL, code: code) }
        let file = PartialFile(.new(directory: nil), url: infoURL, descriptor: descriptor)
        defer { file.end(.kept) }
        try file.write((try? JSONEncoder().encode(info)) ?? Data())
    }

    private func removeInfo() { if isResumable { unlink(infoURL.path) } }
}
