import Foundation
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Explains why a file was not fetched.
struct Explanation {
    /// The path of the finished file.
    var path: String
    /// The value of `--timeout`, in seconds.
    var timeout: Int
    /// The progress of the attempt that failed, or `nil` if no answer with a file had begun.
    var progress: TransferProgress?

    func text(_ error: any Error) -> String {
        switch error {
        case AttemptFailure.status(let status, _): Self.status(status)
        case AttemptFailure.transport(let error): text(error)
        case let error as NetworkRequestError: text(error.underlyingError)
        case let error as URLError: text(error)
        case let error as DownloadError: text(error)
        default: error.localizedDescription
        }
    }

    private func text(_ error: DownloadError) -> String {
        switch error {
        case .unacceptableStatus(let response): Self.status(response.statusCode)
        case .tooLarge(let limit): "the file has more than the \(Format.size(limit)) that --max-size allows"
        case .file(.create, _, .EEXIST), .file(.rename, _, .EEXIST): "'\(path)' exists; use --force to replace it"
        case .file(.create, _, .EISDIR): "'\(path)' is a directory"
        case .file(.create, _, let code): "cannot create '\(path)': \(Self.text(code))"
        case .file(.write, _, let code): "cannot write '\(path)': \(Self.text(code))"
        case .file(.rename, _, let code): "cannot move the finished file to '\(path)': \(Self.text(code))"
        }
    }

    /// Returns the library's text, but with sizes instead of numbers of bytes.
    private func text(_ error: URLError) -> String {
        switch error.code {
        case .timedOut where amount != nil: "nothing more arrived for \(timeout) s, after \(amount!)"
        case .networkConnectionLost where amount != nil: "the connection was lost after \(amount!)"
        case .unknown where amount != nil: "the connection ended after \(amount!)"
        default: error.localizedDescription
        }
    }

    private var amount: String? {
        guard let progress else { return nil }
        let total = progress.totalBytes.map { " of \(Format.size($0))" } ?? ""
        return Format.size(progress.completedBytes) + total
    }

    private static func status(_ status: Int) -> String {
        "\(status) \(HTTPURLResponse.localizedString(forStatusCode: status))"
    }

    private static func text(_ code: POSIXErrorCode) -> String { String(cString: strerror(code.rawValue)) }
}
