public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The error of a download that failed, but not because of its transport.
public enum DownloadError: Error, Sendable {
    /// The operation of a download on a file.
    public enum FileOperation: String, Sendable {
        case create, write, rename
    }

    /// The status of the response is an error or a redirect, so its body isn't the file.
    case unacceptableStatus(HTTPURLResponse)
    /// The file is longer than ``DownloadOptions/maximumBytes``.
    case tooLarge(limit: Int64)
    /// The file system refused an operation.
    case file(FileOperation, url: URL, code: POSIXErrorCode)
}

extension DownloadError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .unacceptableStatus(let response):
            "The server answered with status \(response.statusCode)."
        case .tooLarge(let limit): "The file has more than \(limit) bytes."
        case .file(let operation, let url, let code):
            "Cannot \(operation.rawValue) \(url.path): \(String(cString: strerror(code.rawValue)))."
        }
    }

    public var errorDescription: String? { description }
}
