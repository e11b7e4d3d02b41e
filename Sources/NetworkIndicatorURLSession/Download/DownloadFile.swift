import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The file that the attempts of a download write to, one after the other.
///
/// An attempt continues the part of earlier attempts, or starts over. Only successful responses are written to the
/// file. With a destination, the body of another status is ignored; otherwise it is written to a separate file.
final class DownloadFile: BodyReceiver {
    private struct State {
        var file: PartialFile
        /// The body of an unsuccessful response.
        var errorFile: PartialFile?
        /// The description of the file's contents; `nil` if the file can't be continued.
        var part: ResumePoint?
        var continuesPart: Bool
        /// The response that the file began with, in this call.
        var response: URLResponse?
        var attempt = Attempt()
        var isEnded = false
    }

    private struct Attempt {
        var request: URLRequest?
        /// The file that receives the body.
        var target: PartialFile?
        /// The length of the whole file, if the response announces it.
        var total: Int64?
        var isContinued = false
    }

    private let state: Lock<State>
    private let destination: DownloadDestination?
    private let maximumBytes: Int64?
    private let onProgress: @Sendable (TransferProgress) -> Void

    convenience init(
        to destination: DownloadDestination?, maximumBytes: Int64?,
        onProgress: @escaping @Sendable (TransferProgress) -> Void
    ) throws(DownloadError) {
        // The file is opened before the first request, so that an unwritable directory causes no traffic.
        guard let destination else {
            let file = try PartialFile()
            self.init(file, nil, to: nil, maximumBytes: maximumBytes, onProgress: onProgress)
            return
        }
        let (file, part) = try destination.open()
        self.init(file, part, to: destination, maximumBytes: maximumBytes, onProgress: onProgress)
    }

    init(
        _ file: PartialFile, _ part: ResumePoint?, to destination: DownloadDestination?, maximumBytes: Int64?,
        onProgress: @escaping @Sendable (TransferProgress) -> Void
    ) {
        state = Lock(State(file: file, part: part, continuesPart: destination?.options.startsOver != true))
        self.destination = destination
        self.maximumBytes = maximumBytes
        self.onProgress = onProgress
    }

    /// Prepares an attempt.
    ///
    /// - Returns: The request of the attempt.
    func prepare(_ request: URLRequest) -> URLRequest {
        let (stale, prepared) = state.withLock { state in
            let stale = state.errorFile
            state.errorFile = nil
            state.attempt = Attempt(request: request)
            let length = state.file.length
            guard let part = state.part, state.continuesPart, length > 0 else { return (stale, request) }
            state.attempt.isContinued = true
            return (stale, part.continuing(request, after: length))
        }
        stale?.end(.removed)
        return prepared
    }

    // MARK: BodyReceiver

    func begin(_ response: URLResponse) throws -> BodyUse {
        let http = response as? HTTPURLResponse
        let (attempt, part, file) = state.withLock { ($0.attempt, $0.part, $0.file) }
        if attempt.isContinued, let part, let http, [206, 416].contains(http.statusCode) {
            guard http.statusCode == 206, let total = part.total(continuedBy: http, after: file.length) else {
                // This response doesn't continue the part, so the part can't be used any more.
                state.withLock { $0.part = nil }
                return .startOver
            }
            try check(total)
            state.withLock { state in
                state.attempt.target = file
                state.attempt.total = total
                state.response = state.response ?? response
            }
        } else if Self.isSuccess(response, to: attempt.request) {
            try startOver(response, attempt, file)
        } else if destination != nil {
            return .ignore
        } else {
            try receiveError(response)
        }
        onProgress(progress)
        return .receive
    }

    static func isSuccess(_ response: URLResponse, to request: URLRequest?) -> Bool {
        guard let status = (response as? HTTPURLResponse)?.statusCode else { return true }
        return (200..<300).contains(status)
            && (status != 206 || request?.value(forHTTPHeaderField: "Range") != nil)
    }

    private func startOver(_ response: URLResponse, _ attempt: Attempt, _ file: PartialFile) throws {
        try check(response.identityLength ?? 0)
        destination?.removeInfo()
        try file.truncate()
        let part = attempt.request.flatMap { ResumePoint(response, to: $0) }
        try destination?.writeInfo(part)
        let (question, isEnded) = state.withLock { state in
            state.part = part
            state.continuesPart = true
            state.response = response
            state.attempt.target = file
            state.attempt.total = response.identityLength
            defer { state.errorFile = nil }
            return (state.errorFile, state.isEnded)
        }
        // The earlier response was a request for credentials, not the answer.
        question?.end(.removed)
        if isEnded { destination?.removeInfo() }
    }

    private func receiveError(_ response: URLResponse) throws {
        let file = try PartialFile()
        let (isEnded, question) = state.withLock { state in
            defer { state.errorFile = file }
            state.attempt.target = file
            state.attempt.total = response.identityLength
            return (state.isEnded, state.errorFile)
        }
        question?.end(.removed)
        if isEnded { file.end(.removed) }
    }

    private func check(_ length: Int64) throws(DownloadError) {
        if let maximumBytes, length > maximumBytes { throw .tooLarge(limit: maximumBytes) }
    }

    func write(_ data: Data) throws {
        guard let target = state.withLock(\.attempt.target) else { return }
        try check(target.length + Int64(data.count))
        try target.write(data)
        onProgress(progress)
    }

    func end() throws {
        let attempt = state.withLock(\.attempt)
        // The total is nil if the body is compressed, or its length unknown.
        if let total = attempt.total, let length = attempt.target?.length, length != total,
            attempt.request?.httpMethod != "HEAD"
        {
            throw URLError(.networkConnectionLost).described(received: progress, timeout: 0, url: attempt.request?.url)
        }
    }

    var progress: TransferProgress {
        state.withLock {
            TransferProgress(completedBytes: $0.attempt.target?.length ?? 0, totalBytes: $0.attempt.total)
        }
    }

    // MARK: The end

    /// Passes the file to the caller, under its final name.
    ///
    /// - Parameter response: The response of the last attempt.
    /// - Returns: The name of the file, and the response that it began with.
    func commit(_ response: URLResponse) throws(DownloadError) -> (URL, URLResponse) {
        let (file, errorFile, first, isContinued) = state.withLock {
            ($0.file, $0.errorFile, $0.response, $0.attempt.isContinued)
        }
        guard let destination else {
            let made = errorFile ?? file
            if let code = made.end(.kept) { throw .file(.write, url: made.url, code: code) }
            return (made.url, errorFile == nil && isContinued ? first ?? response : response)
        }
        if let http = response as? HTTPURLResponse, state.withLock({ $0.attempt.target == nil }) {
            throw .unacceptableStatus(http)
        }
        try destination.take(file)
        return (destination.url, isContinued ? first ?? response : response)
    }

    /// Closes the files that were not passed to the caller. Keeps a part that can be continued, if the options ask for
    /// that, and removes all other files. Data that still arrives is dropped.
    func discard() {
        let (file, errorFile, part) = state.withLock { state in
            state.isEnded = true
            return (state.file, state.errorFile, state.part)
        }
        errorFile?.end(.removed)
        if let destination, destination.options.keepsPartialFile, part != nil, file.length > 0 {
            file.end(.kept)
        } else {
            destination?.removeInfo()
            file.end(.removed)
        }
    }
}
