import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URL {
    /// A path that ends in a slash belongs to a directory, even if the directory doesn't exist.
    func file(for request: URLRequest) -> URL {
        var status = stat()
        let exists = isFileURL && withPath { stat($0, &status) }.result == 0
        guard hasDirectoryPath || exists && status.st_mode & S_IFMT == S_IFDIR else { return self }
        return appendingPathComponent(request.url?.suggestedFilename ?? "", isDirectory: false)
    }

    func obstacle(replaces: Bool) -> POSIXErrorCode? {
        if lacksDirectory { return .ENOENT }
        var status = stat()
        let (result, code) = withPath { lstat($0, &status) }
        guard result == 0 else { return code == .ENOENT ? nil : code }
        guard withPath({ stat($0, &status) }).result == 0 else { return .ENXIO }  // for example, a broken symbolic link
        return switch status.st_mode & S_IFMT {
        case S_IFREG: replaces ? nil : .EEXIST
        case S_IFDIR: .EISDIR
        default: .ENXIO
        }
    }

    /// Whether the path starts at a working directory that was removed. The path would start at the root directory
    /// instead, and its URL isn't a file URL.
    var lacksDirectory: Bool {
        scheme ?? "file" == "file" && !relativePath.hasPrefix("/") && FileManager.default.currentDirectoryPath.isEmpty
    }

    /// The permissions of an existing file.
    var permissions: mode_t? {
        var status = stat()
        return withPath { stat($0, &status) }.result == 0 && status.st_mode & S_IFMT == S_IFREG
            ? status.st_mode & 0o777 : nil
    }
}
