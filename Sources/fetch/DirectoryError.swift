import Foundation

/// A directory that could not be made.
struct DirectoryError: Error, CustomStringConvertible {
    let path: String
    /// `errno`.
    let code: Int32

    var description: String { "cannot make the directory '\(path)': \(String(cString: strerror(code)))" }
}
