import Foundation

/// The directory that files are written to.
enum Directory {
    /// - Parameter directory: `nil` for the current one.
    static func path(_ name: String, in directory: String?) -> String {
        guard let directory else { return name }
        return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }

    /// Makes a directory and those above it, where they are missing.
    static func make(_ path: String) throws(FileError) {
        var built = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            built += part
            var status = stat()
            if stat(built, &status) != 0 {
                // Somebody else may make it at the same moment.
                guard mkdir(built, 0o777) == 0 || errno == EEXIST else {
                    throw FileError(action: .makeDirectory, path: built, code: errno)
                }
            } else if status.st_mode & S_IFMT != S_IFDIR {
                throw FileError(action: .makeDirectory, path: built, code: ENOTDIR)
            }
            built += "/"
        }
    }
}
