import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One answer on its way to disk.
///
/// `@unchecked Sendable`: made before its task starts, and then touched on the session's serial delegate queue only.
final class Transfer: @unchecked Sendable {
    private let file: PartialFile
    private let timeout: Int
    private let completion: @Sendable (Result<Download.Outcome, DownloadError>) -> Void
    private var status: Int?
    private var expected: Int?
    private var failure: DownloadError?
    private var ignored = 0

    /// So much of an answer that is no file is read, since that is less trouble than to break it off.
    private static let patience = 1_000_000

    init(
        file: PartialFile, timeout: Int,
        completion: @escaping @Sendable (Result<Download.Outcome, DownloadError>) -> Void
    ) {
        self.file = file
        self.timeout = timeout
        self.completion = completion
    }

    func receive(_ response: URLResponse) {
        // Linux tells of a 100 or a 103 as if it were the answer, and then of the answer.
        guard let response = response as? HTTPURLResponse, response.statusCode >= 200 else { return }
        let status = response.statusCode
        self.status = status
        // Nobody asked for a part, so 206 is not what was asked for.
        if !(200..<300).contains(status) || status == 206 { failure = failure ?? .status(status) }
        // The length is that of what is sent; a server that compresses unasked is understood all the same.
        let isEncoded = response.value(forHTTPHeaderField: "Content-Encoding") ?? "identity" != "identity"
        expected = response.expectedContentLength < 0 || isEncoded ? nil : Int(response.expectedContentLength)
    }

    /// - Returns: Whether to go on.
    func receive(_ data: Data) -> Bool {
        if failure == nil {
            do {
                try file.write(data)
                return true
            } catch {
                failure = .file(error)
                return false
            }
        }
        ignored += data.count
        return ignored < Self.patience
    }

    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        // On Linux a redirect that leads nowhere ends without a response having been told of.
        if status == nil, let response { receive(response) }
        completion(result(error))
    }

    private func result(_ error: (any Error)?) -> Result<Download.Outcome, DownloadError> {
        if let error, failure == nil {
            failure = DownloadError(error, timeout: timeout, received: file.size, expected: expected)
        }
        guard let status else { return fail(failure ?? .noAnswer) }
        if failure == nil, let expected, expected != file.size {
            failure = .incomplete(received: file.size, expected: expected)
        }
        if failure == nil {
            do { try file.commit() } catch { failure = .file(error) }
        }
        return failure.map(fail) ?? .success(Download.Outcome(status: status, size: file.size))
    }

    private func fail(_ error: DownloadError) -> Result<Download.Outcome, DownloadError> {
        file.discard()
        return .failure(error)
    }
}
