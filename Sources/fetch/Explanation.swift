import Foundation
import NetworkIndicatorTransfers

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
        case let error as DownloadError: text(error, path)
        default: error.localizedDescription
        }
    }

    private static func text(_ error: DownloadError, _ path: String) -> String {
        switch error {
        case .file(.create, _, .EEXIST): "'\(path)' exists; use --force to replace it, or -c to skip it"
        case .file(.create, _, .EISDIR): "'\(path)' is a directory"
        case .file(.create, _, .EWOULDBLOCK): "another process is fetching '\(path)'"
        case .file(.write, _, .ESPIPE): "the download would start over, but its first part is written"
        case .file(.write, _, let code) where path == "-": Output.failure(code.rawValue)
        case .file(let operation, _, _): "cannot \(operation.rawValue) '\(path)': \(error.reason)"
        case .notMoved(let kept, _, .EEXIST):
            "'\(path)' exists; the complete file is kept as '\(kept.lastPathComponent)'"
        case .notMoved(let kept, _, _):
            "cannot move the complete file to '\(path)': \(error.reason); it is kept as '\(kept.lastPathComponent)'"
        case .unacceptableStatus(let response): status(response.statusCode)
        case .tooLarge(let limit): "the file has more than the \(ByteCount(limit)) that --max-size allows"
        }
    }

    private static func status(_ status: Int) -> String {
        "\(status) \(HTTPURLResponse.localizedString(forStatusCode: status))"
    }
}
