import Foundation

/// A download's file under a temporary name beside its target, until it is complete. Used by one thread at a time.
final class PartialFile {
    private let target: String
    private let replaces: Bool
    private let files: TemporaryFiles
    private let path: String
    private var descriptor: Int32
    private(set) var size = 0

    /// Creates the file, empty.
    ///
    /// - Parameters:
    ///   - directory: `nil` for the current one.
    ///   - replaces: Whether a file at the target may go. If not, it is an error that there is one.
    init(name: String, in directory: String?, replaces: Bool, files: TemporaryFiles) throws(FileError) {
        target = Self.path(name, in: directory)
        self.replaces = replaces
        self.files = files
        var status = stat()
        if lstat(target, &status) == 0 {
            guard replaces else { throw FileError(action: .create, path: target, code: EEXIST) }
            guard status.st_mode & S_IFMT != S_IFDIR else {
                throw FileError(action: .rename, path: target, code: EISDIR)
            }
        }
        (path, descriptor) = try Self.create(name, in: directory, files)
    }

    deinit { discard() }

    static func path(_ name: String, in directory: String?) -> String {
        guard let directory else { return name }
        return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }

    private static func create(
        _ name: String, in directory: String?, _ files: TemporaryFiles
    ) throws(FileError) -> (String, Int32) {
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789"
        var attempts = 0
        while true {
            let mark = String((0..<6).map { _ in letters.randomElement()! })
            let path = path(FileName.partial(of: name, mark: mark), in: directory)
            do {
                return (path, try files.create(path))
            } catch  where error.code == EEXIST && attempts < 100 {
                attempts += 1
            }
        }
    }

    func write(_ data: Data) throws(FileError) {
        var written = 0
        while written < data.count {
            let (count, code) = data.withUnsafeBytes { bytes in
                (Foundation.write(descriptor, bytes.baseAddress! + written, bytes.count - written), errno)
            }
            if count >= 0 {
                written += count
            } else if code != EINTR {
                throw FileError(action: .write, path: target, code: code)
            }
        }
        size += written
    }

    /// Gives the file its name. It is closed, and where it fails, removed.
    func commit() throws(FileError) {
        let result = close(descriptor)
        let code = errno
        descriptor = -1
        // Some file systems tell only now that there was no room.
        guard result == 0 else { throw FileError(action: .write, path: target, code: code) }
        try files.rename(path, to: target, replacing: replaces)
    }

    /// Removes the file, if it did not get its name.
    func discard() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        files.remove(path)
    }
}
