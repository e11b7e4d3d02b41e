public import Foundation
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A download error that concerns the response's status, the file's length, or a file operation.
public enum DownloadError: Error, Sendable {
    /// An operation that can fail with ``DownloadError/file(_:url:code:)``.
    public enum FileOperation: String, Sendable {
        /// Creating or opening the partial file, or examining the destination before that.
        case create
        /// Writing or shortening the partial file, or closing it after the last byte.
        case write
    }

    /// The status of the response isn't 2xx, is 204 or 205 (which have no content), is 206 although your request has no
    /// `Range`, or is one of the ``TrackedRetryPolicy/retriedStatusCodes``.
    case unacceptableStatus(HTTPURLResponse)
    /// A download could not be resumed, because the response comes from another URL than the part, and lacks its
    /// `ETag`. A captive portal can send such a response. The part is kept. To download the file of the other URL
    /// instead, delete the part.
    case unrelatedResponse(HTTPURLResponse, part: URL)
    /// The announced or received length of the file exceeds ``DownloadOptions/maximumBytes``.
    case tooLarge(limit: Int64)
    /// A file operation failed.
    ///
    /// The code comes from the file system, or has one of these meanings:
    /// - `EEXIST`: The destination exists, and ``DownloadOptions/existingFile-swift.property`` is `fail`.
    /// - `EISDIR`: The file in the destination directory, or the partial file, is a directory.
    /// - `EMLINK`: The partial file has another name (a hard link), so writing it would change the file under both
    ///   names.
    /// - `ENAMETOOLONG`: The name of the destination is too long for its file system.
    /// - `ENXIO`: The destination or the partial file is a special file, such as a device or a pipe. The code can
    ///   also mean that the destination is a broken symbolic link, or that the partial file is a symbolic link.
    /// - `EWOULDBLOCK`: Another download is using the partial file.
    /// - `EPERM`: Another user owns the partial file, or the system forbids the operation.
    /// - `EPROTONOSUPPORT`: The destination isn't a file URL. The URL of a relative path isn't one if the working
    ///   directory was removed.
    /// - `ESTALE`: Another program has changed or removed the partial file.
    case file(FileOperation, url: URL, code: POSIXErrorCode)
    /// The complete file can't be moved to its destination, and is kept at `url`.
    case notMoved(url: URL, destination: URL, code: POSIXErrorCode)
}

extension DownloadError: LocalizedError, CustomStringConvertible {
    /// The reason, such as `404 Not Found`. Like the text of ``NetworkRequestError``, it is meant for messages such as
    /// `"\(name): \(error)"`.
    public var description: String {
        switch self {
        case .unacceptableStatus(let response): HTTPURLResponse.reason(response.statusCode)
        case .unrelatedResponse(let response, let part):
            "not resumed, because \(response.url?.host ?? "another server") sent another file; to start over, delete "
                + part.path
        case .tooLarge(let limit): "the file has more than \(limit) bytes"
        case .file(let operation, let url, let code):
            "cannot \(operation.rawValue) \(code == .EPROTONOSUPPORT ? url.withoutCredentials : url.lastPathComponent): "
                + Self.reason(code)
        case .notMoved(let url, let destination, let code):
            "cannot move the complete file to \(destination.path): \(Self.reason(code)); it is kept as \(url.path)"
        }
    }

    /// On Linux, the ``description``. On Apple's systems, a text in the user's language and without paths: that of the
    /// `POSIXError` of a file operation, or of a `URLError`.
    public var errorDescription: String? { errorDescription(isLocalized: URLError.isLocalized) }

    func errorDescription(isLocalized: Bool) -> String {
        guard isLocalized else { return description }
        return switch self {
        case .unacceptableStatus: description
        case .unrelatedResponse: URLError(.badServerResponse).localizedDescription
        case .tooLarge: URLError(.dataLengthExceedsMaximum).localizedDescription
        case .file(_, _, let code), .notMoved(_, _, let code): POSIXError(code).localizedDescription
        }
    }

    private static func reason(_ code: POSIXErrorCode) -> String {
        switch code {
        case .EISDIR: "it is a directory, and not the name of a file"
        case .EMLINK: "it has another name, a hard link; delete it"
        case .ENXIO: "it is not a regular file"
        case .EWOULDBLOCK: "another download is using it"
        case .EPERM: "another user owns it, or the system forbids it; delete it, or choose another directory"
        case .EPROTONOSUPPORT: "it is not the URL of a file"
        case .ESTALE: "another program has changed or removed it"
        default: String(cString: strerror(code.rawValue))
        }
    }
}

extension HTTPURLResponse {
    static func reason(_ status: Int) -> String { "\(status) \(localizedString(forStatusCode: status).capitalized)" }
}
