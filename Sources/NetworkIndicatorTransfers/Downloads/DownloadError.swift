public import Foundation
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// An error of a download, other than a transport error.
public enum DownloadError: Error, Sendable {
    /// The operation of a download on a file.
    public enum FileOperation: String, Sendable {
        case create, write
    }

    /// The status of the response is an error or a redirect, so its body isn't the file.
    case unacceptableStatus(HTTPURLResponse)
    /// The file is longer than ``DownloadOptions/maximumBytes``.
    case tooLarge(limit: Int64)
    /// The file system refused an operation.
    ///
    /// The code is `EINVAL` for a destination that isn't a file URL. For a partial file, it is `EWOULDBLOCK` if another
    /// download uses the file, and `ENXIO` if it isn't a regular file.
    case file(FileOperation, url: URL, code: POSIXErrorCode)
    /// The file is complete, but can't be moved to its destination. It is kept at `url`.
    case notMoved(url: URL, destination: URL, code: POSIXErrorCode)
}

extension DownloadError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .unacceptableStatus(let response):
            "The server responded to \(response.url?.withoutCredentials ?? "") with status \(response.statusCode)."
        case .tooLarge(let limit): "The file has more than \(limit) bytes."
        case .file(let operation, let url, _):
            "Cannot \(operation.rawValue) \(url.isFileURL ? url.path : url.withoutCredentials): \(reason)."
        case .notMoved(let url, let destination, _):
            "Cannot move the complete file to \(destination.path): \(reason). It is kept as \(url.path)."
        }
    }

    public var errorDescription: String? { description }

    /// Why the file system refused an operation. For other errors, the same as the description.
    package var reason: String {
        switch self {
        case .file(_, let url, .EINVAL) where !url.isFileURL: "it is not a file URL"
        case .file(.create, _, .EWOULDBLOCK): "another download is using it"
        case .file(.create, _, .ENXIO): "it is not a regular file"
        case .file(_, _, let code), .notMoved(_, _, let code): String(cString: strerror(code.rawValue))
        case .unacceptableStatus, .tooLarge: description
        }
    }
}
