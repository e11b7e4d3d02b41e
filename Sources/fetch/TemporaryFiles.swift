import Foundation
import NetworkIndicator

/// Everything on disk that must not outlive the program: files that are not complete, and the demonstration's directory.
///
/// Names appear and disappear under one lock, so that ``removeAll(then:)`` misses none.
final class TemporaryFiles: Sendable {
    private struct State {
        var paths: Set<String> = []
        var directory: String?
    }

    private let state = Lock(State())

    /// Creates a file that does not exist yet.
    ///
    /// - Returns: Its descriptor, open for writing.
    func create(_ path: String) throws(FileError) -> Int32 {
        let (descriptor, code) = state.withLock { state in
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { state.paths.insert(path) }
            return (descriptor, errno)
        }
        guard descriptor >= 0 else { throw FileError(action: .create, path: path, code: code) }
        return descriptor
    }

    /// Gives a complete file its name.
    ///
    /// - Parameter replacing: Whether a file of that name may go. If not, one that appears at the last moment stays as
    ///   it is, and an error is thrown.
    func rename(_ path: String, to target: String, replacing: Bool) throws(FileError) {
        let code: Int32 = state.withLock { state in
            let code = replacing ? Self.move(path, target) : Self.moveUnlessTaken(path, target)
            if code == 0 { state.paths.remove(path) }
            return code
        }
        if code != 0 { throw FileError(action: .rename, path: target, code: code) }
    }

    /// Removes a file that will not be completed.
    func remove(_ path: String) {
        state.withLock { state in
            if state.paths.remove(path) != nil { unlink(path) }
        }
    }

    /// Makes a directory of its own for the demonstration.
    func makeDirectory() throws(FileError) -> String {
        var template = Array(Directory.path("fetch.XXXXXX", in: NSTemporaryDirectory()).utf8CString)
        let (path, code): (String?, Int32) = state.withLock { state in
            guard let pointer = mkdtemp(&template) else { return (nil, errno) }
            state.directory = String(cString: pointer)
            return (state.directory, 0)
        }
        guard let path else { throw FileError(action: .makeDirectory, path: NSTemporaryDirectory(), code: code) }
        return path
    }

    /// Removes what is left, and then does the last thing the program does, while nobody can make anything new.
    func removeAll(then end: () -> Void) {
        state.withLock { state in
            for path in state.paths { unlink(path) }
            state.paths = []
            if let directory = state.directory { try? FileManager.default.removeItem(atPath: directory) }
            state.directory = nil
            end()
        }
    }

    // MARK: Renaming. Each returns 0 or an `errno`.

    private static func move(_ path: String, _ target: String) -> Int32 {
        Foundation.rename(path, target) == 0 ? 0 : errno
    }

    private static func moveUnlessTaken(_ path: String, _ target: String) -> Int32 {
        // A second name fails where the name is taken: there is no moment in between.
        if link(path, target) == 0 {
            unlink(path)
            return 0
        }
        let code = errno
        guard [EPERM, ENOSYS, ENOTSUP, EOPNOTSUPP, EMLINK].contains(code) else { return code }
        // A file system without second names: take the name with an empty file, then replace that.
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return errno }
        close(descriptor)
        let result = move(path, target)
        if result != 0 { unlink(target) }
        return result
    }
}
