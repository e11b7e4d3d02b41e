import Foundation

/// The directory that files are written to.
enum Directory {
    /// Returns the path of a name in a directory.
    ///
    /// - Parameter directory: `nil` for the current directory.
    static func path(_ name: String, in directory: String?) -> String {
        guard let directory else { return name }
        return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }

    /// Makes a directory and the directories above it if they are missing.
    static func make(_ path: String) throws(DirectoryError) {
        var built = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            built += part
            var status = stat()
            if stat(built, &status) != 0 {
                // Another program may create the directory at the same moment.
                guard mkdir(built, 0o777) == 0 || errno == EEXIST else {
                    throw DirectoryError(path: built, code: errno)
                }
            } else if status.st_mode & S_IFMT != S_IFDIR {
                throw DirectoryError(path: built, code: ENOTDIR)
            }
            built += "/"
        }
    }

    /// Makes a directory in the temporary directory. The caller removes it.
    static func makeTemporary(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(DirectoryError) -> String {
        // On Apple's systems Foundation ignores `TMPDIR`.
        let variable = environment["TMPDIR"] ?? ""
        let temporary = variable.isEmpty ? NSTemporaryDirectory() : variable
        var template = Array(path("fetch.XXXXXX", in: temporary).utf8CString)
        guard let pointer = mkdtemp(&template) else {
            throw DirectoryError(path: temporary, code: errno)
        }
        return String(cString: pointer)
    }
}
