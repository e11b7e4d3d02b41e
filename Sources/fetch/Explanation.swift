import Foundation
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Explains why a file was not fetched, in terms of the command line. The library explains failures of requests.
enum Explanation {
    /// - Parameter path: The path of the finished file.
    static func text(_ error: any Error, path: String) -> String {
        switch error {
        case AttemptFailure.status(let status, _): Self.status(status)
        case AttemptFailure.transport(let error): error.localizedDescription
        case let error as NetworkRequestError: error.underlyingError.localizedDescription
        case DownloadError.unacceptableStatus(let response): status(response.statusCode)
        case DownloadError.tooLarge(let limit): "the file has more than the \(ByteCount(limit)) that --max-size allows"
        case DownloadError.file(let operation, let url, let code): text(operation, url, code, path)
        default: error.localizedDescription
        }
    }

    private static func text(
        _ operation: DownloadError.FileOperation, _ url: URL, _ code: POSIXErrorCode, _ path: String
    ) -> String {
        switch (operation, code) {
        case (.create, .EEXIST), (.rename, .EEXIST): "'\(path)' exists; use --force to replace it, or -c to skip it"
        case (.create, .EISDIR): "'\(path)' is a directory"
        case (.create, .EWOULDBLOCK): "another process is fetching '\(path)'"
        case (.create, let code): "cannot create '\(path)': \(String(cString: strerror(code.rawValue)))"
        case (.write, let code): "cannot write '\(path)': \(String(cString: strerror(code.rawValue)))"
        case (.rename, let code):
            "cannot move the finished file to '\(path)': \(String(cString: strerror(code.rawValue)))"
        }
    }

    private static func status(_ status: Int) -> String {
        "\(status) \(HTTPURLResponse.localizedString(forStatusCode: status))"
    }
}
