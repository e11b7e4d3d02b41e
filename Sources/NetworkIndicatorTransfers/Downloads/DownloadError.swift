public import Foundation
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A download error that concerns the response's status, the file's length, or a file operation.
public enum DownloadError: Error, Sendable {
    /// An operation that can fail with ``DownloadError/file(_:url:code:)``.
    public enum FileOperation: String, Sendable {
        case create, write
    }

    /// The status of the response isn't 2xx, is 204 or 205 (which have no content), or is 206 although your request
    /// has no `Range`.
    case unacceptableStatus(HTTPURLResponse)
    /// The announced or received length of the file exceeds ``DownloadOptions/maximumBytes``.
    case tooLarge(limit: Int64)
    /// A file operation failed.
    ///
    /// The code comes from the file system, or has one of these meanings:
    /// - `EEXIST`: The destination exists, and ``DownloadOptions/replacesDestination`` is `false`.
    /// - `EISDIR`: The file in the destination directory, or the partial file, is a directory.
    /// - `ENAMETOOLONG`: The name of the destination is too long for its file system.
    /// - `ENXIO`: The destination or the partial file is a special file, such as a device or a pipe. The code can
    ///   also mean that the destination is a broken symbolic link, or that the partial file is a symbolic link.
    /// - `EWOULDBLOCK`: Another download is using the partial file.
    /// - `EPERM`: Another user owns the partial file, or the system forbids the operation.
    case file(FileOperation, url: URL, code: POSIXErrorCode)
    /// The destination isn't a file URL.
    case unsupportedDestination(URL)
    /// The partial file at the URL has another name (a hard link), so writing it would change the file under both
    /// names.
    case linkedPartialFile(URL)
    /// Another program has changed or removed the partial file at the URL.
    case changedPartialFile(URL)
    /// The complete file can't be moved to its destination, and is kept at `url`.
    case notMoved(url: URL, destination: URL, code: POSIXErrorCode)
}

extension DownloadError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .unacceptableStatus(let response):
            "The server responded to \(response.url?.withoutCredentials ?? "") with status \(response.statusCode)."
        case .tooLarge(let limit): "The file has more than \(limit) bytes."
        case .file(let operation, let url, let code):
            "Cannot \(operation.rawValue) \(url.path): \(Self.reason(code))."
        case .unsupportedDestination(let url): "Cannot create \(url.withoutCredentials): it is not a file URL."
        case .linkedPartialFile(let url):
            "Cannot create \(url.path): it has another name, a hard link; delete this one."
        case .changedPartialFile(let url): "Cannot write \(url.path): another program has changed or removed it."
        case .notMoved(let url, let destination, let code):
            "Cannot move the complete file to \(destination.path): \(Self.reason(code)). It is kept as \(url.path)."
        }
    }

    public var errorDescription: String? { description }

    private static func reason(_ code: POSIXErrorCode) -> String {
        switch code {
        case .EISDIR: "it is a directory, and not the name of a file"
        case .ENXIO: "it is not a regular file"
        case .EWOULDBLOCK: "another download is using it"
        case .EPERM: "another user owns it, or the system forbids it; delete it, or choose another directory"
        default: String(cString: strerror(code.rawValue))
        }
    }
}
