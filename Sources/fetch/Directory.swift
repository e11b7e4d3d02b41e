import Foundation

/// The directories that files are written to.
enum Directory {
    /// A directory that can't be used.
    struct Failure: Error, CustomStringConvertible {
        let action: String
        /// `errno`.
        let code: Int32

        var description: String { "cannot \(action): \(String(cString: strerror(code)))" }
    }

    /// Returns the path of a name in a directory.
    static func path(_ name: String, in directory: String) -> String {
        directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }

    /// Whether a path leads to a directory.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the working directory, which may have been removed.
    static func current() throws(Failure) -> String {
        guard let path = getcwd(nil, 0) else { throw Failure(action: "use the working directory", code: errno) }
        defer { free(path) }
        return String(cString: path)
    }

    /// Creates a directory and the directories above it if they are missing.
    static func make(_ path: some StringProtocol) throws(Failure) {
        // This splits scalars, because a slash with a combining mark is another character.
        let scalars = path.unicodeScalars
        var built = scalars.first == "/" ? "/" : ""
        for part in scalars.split(separator: "/") {
            built.unicodeScalars += part
            // Another program may create the directory at the same moment.
            if !exists(built), mkdir(built, 0o777) != 0, errno != EEXIST || !exists(built) {
                throw Failure(action: "make the directory '\(built)'", code: errno == EEXIST ? ENOTDIR : errno)
            }
            built += "/"
        }
    }

    /// Creates a directory in the temporary directory. The caller removes it.
    static func makeTemporary(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Failure) -> String {
        // On Apple's systems Foundation ignores `TMPDIR`.
        let variable = environment["TMPDIR"] ?? ""
        let temporary = variable.isEmpty ? NSTemporaryDirectory() : variable
        var template = Array(path("fetch.XXXXXX", in: temporary).utf8CString)
        guard let pointer = mkdtemp(&template) else {
            throw Failure(action: "make a directory in '\(temporary)'", code: errno)
        }
        return String(cString: pointer)
    }
}
