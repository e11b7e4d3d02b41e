import Foundation

/// Something that could not be done to a file or a directory.
struct FileError: Error, CustomStringConvertible {
    enum Action: String {
        case create, write, rename, makeDirectory
    }

    let action: Action
    let path: String
    /// `errno`.
    let code: Int32

    var description: String {
        let reason = String(cString: strerror(code))
        return switch action {
        case .create where code == EEXIST, .rename where code == EEXIST:
            "'\(path)' exists; --force would replace it"
        case .create: "cannot create '\(path)': \(reason)"
        case .write: "cannot write '\(path)': \(reason)"
        case .rename: "cannot replace '\(path)': \(reason)"
        case .makeDirectory: "cannot make the directory '\(path)': \(reason)"
        }
    }
}
