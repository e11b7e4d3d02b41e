import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

final class DownloadFile: BodyReceiver {
    private struct State {
        /// Another file than the destination if that is a directory, as soon as an earlier part has been examined.
        var target: URL
        var isExamined = false
        /// `nil` unless another response can continue the contents of the file.
        var part: ResumePoint?
        /// The response with which this call began to write the contents.
        var first: URLResponse?
        /// The length of the contents, including the bytes that are being written.
        var length: Int64 = 0
        var total: Int64?
        var resumes = false
        /// Whether the contents belong to the attempt's response.
        var isAccepted = false

        var progress: TransferProgress { TransferProgress(completedBytes: length, totalBytes: total) }
        var resumableLength: Int64 { part?.resumableLength(of: length) ?? 0 }
    }

    /// The file opens when its response arrives, so that a download that waits holds no descriptor. The lock is held
    /// for each write, and while the file is closed. No operation is therefore in progress after the call has ended,
    /// and another call may use the file.
    private let file = Lock<(open: OpenFile?, isEnded: Bool)>((nil, false))
    private let destination: URL?
    private let options: DownloadOptions
    private let retriedStatuses: Set<Int>
    private let state: Lock<State>

    /// - Parameter retriedStatuses: The statuses of responses that don't contain the file.
    init(to destination: URL?, _ options: DownloadOptions, retriedStatuses: Set<Int> = []) {
        let target = destination ?? .temporaryDirectory.appending(path: "NetworkIndicator-\(UUID()).download")
        state = Lock(State(target: target))
        self.destination = destination
        self.options = options
        self.retriedStatuses = retriedStatuses
    }

    /// Looks for an earlier part, and throws the errors that are known before a request is sent. The method can block.
    private func examine(_ request: URLRequest) throws {
        guard let destination else { return }
        try locked { file in
            if file.isEnded { return }
            let target = destination.file(for: request)
            let (part, length) = try examine(target)
            state.withLock { $0 = State(target: target, isExamined: true, part: part, length: length) }
        }
    }

    private func examine(_ target: URL) throws(DownloadError) -> (ResumePoint?, Int64) {
        if let code = target.obstacle(replaces: options.existingFile == .replace) {
            throw .file(.create, url: target, code: code)
        }
        let part = DownloadOptions.partialFile(for: target)
        var status = stat()
        if case (-1, .ENOENT) = part.withPath({ lstat($0, &status) }) {
            let (result, code) = part.directoryPath.withCString { (access($0, W_OK | X_OK), POSIXErrorCode.current) }
            guard result == 0 else { throw .file(.create, url: part, code: code) }
            return (nil, 0)
        }
        let file = try OpenFile(part)
        guard options.keepsPartialFile, let point = ResumePoint(for: part),
            case let length = point.resumableLength(of: file.length), length > 0
        else {
            file.end(keeping: nil)
            return (nil, 0)
        }
        file.close()
        return (point, length)
    }

    private func open() throws(DownloadError) -> OpenFile {
        let target = state.withLock(\.target)
        if destination == nil { return try OpenFile(target, mode: 0o600) }
        // The contents of a private file stay private.
        let mode = target.permissions.map { $0 | 0o200 } ?? 0o666
        return try OpenFile(DownloadOptions.partialFile(for: target), mode: mode)
    }

    private func locked(_ body: (inout (open: OpenFile?, isEnded: Bool)) throws -> Void) throws {
        try file.withLock { file in Result { try body(&file) } }.get()
    }

    /// Opens the file unless it is open, and removes the bytes that the response sends again.
    ///
    /// - Parameters:
    ///   - part: The part that the response begins, or continues. For a longer file, the description is written before
    ///     the first byte, so that the download can be resumed even if the process is killed. Writing the description
    ///     could double the duration of a shorter download.
    ///   - length: The length of the part that the response continues, or zero. Another download may have changed it.
    private func prepareFile(_ part: ResumePoint? = nil, after length: Int64 = 0) throws {
        try locked { file in
            if file.isEnded { return }
            if file.open == nil { file.open = try open() }
            if length > 0, let open = file.open, part?.resumableLength(of: open.length) != length {
                // The part's description, if any, is that of the other download.
                file.open.take()?.close()
                throw DownloadError.file(.write, url: open.url, code: .ESTALE)
            }
            try file.open?.truncate(to: length)
            if length > 0 || destination == nil { return }
            let isDescribed = options.keepsPartialFile && part?.total ?? 0 > 1_000_000
            try file.open?.describe(isDescribed ? part : nil)
        }
    }

    private func check(_ length: Int64) throws(DownloadError) {
        if let limit = options.maximumBytes, length > limit { throw .tooLarge(limit: limit) }
    }

    // MARK: BodyReceiver

    func prepare(_ request: URLRequest) throws -> URLRequest {
        if !state.withLock(\.isExamined) { try examine(request) }
        return state.withLock { state in
            state.length = state.resumableLength
            let resuming = state.part?.resuming(request, after: state.length)
            (state.resumes, state.isAccepted) = (resuming != nil, false)
            return resuming ?? request
        }
    }

    func begin(_ response: URLResponse, to request: URLRequest) throws -> BodyDisposition {
        var state = state.withLock { $0 }
        let total = try response.bodyLength(for: request)
        let isFile = isFile(response, to: request)
        if state.resumes, let part = state.part, let http = response as? HTTPURLResponse,
            http.concernsRange || isFile, !part.isRelated(to: http)
        {
            throw DownloadError.unrelatedResponse(http, part: DownloadOptions.partialFile(for: state.target))
        }
        if state.resumes, let http = response as? HTTPURLResponse, http.concernsRange {
            guard let part = state.part, part.isContinued(by: http, after: state.length),
                total ?? 0 <= part.total - state.length
            else {
                self.state.withLock { $0.part = nil }
                return .refused
            }
            try check(part.total)
            try prepareFile(part, after: state.length)
            (state.first, state.total) = (state.first ?? response, part.total)
        } else if isFile {
            try check(total ?? 0)
            state.part = ResumePoint(response, to: request, total: total)
            state.first = response
            (state.length, state.total) = (0, total)
            try prepareFile(state.part)
        } else {
            return .ignored
        }
        state.isAccepted = true
        let isVerifiable = state.total != nil || response.isVerifiable
        self.state.withLock { $0 = state }
        return .accepted(announcing: .receiving(isResumable: state.part != nil, isVerifiable: isVerifiable))
    }

    /// Without a destination, the file receives the body of any response that isn't retried.
    private func isFile(_ response: URLResponse, to request: URLRequest) -> Bool {
        guard let status = (response as? HTTPURLResponse)?.statusCode else { return true }
        if retriedStatuses.contains(status) { return false }
        let isSuccess =
            (200..<300).contains(status) && ![204, 205].contains(status)
            && (status != 206 || request.value(forHTTPHeaderField: "Range") != nil)
        return isSuccess || destination == nil
    }

    func write(_ data: Data) throws {
        let length = state.withLock { state in
            state.length += Int64(data.count)
            return state.length
        }
        try check(length)
        try locked { try $0.open?.append(data) }
    }

    var progress: TransferProgress? { state.withLock { $0.isAccepted ? $0.progress : nil } }

    var resumableLength: Int64 { state.withLock(\.resumableLength) }

    // MARK: The end

    /// Closes a complete file at the end of the attempt. The call can continue much later, and must not hold a
    /// descriptor until then.
    func finish(_ response: URLResponse) throws {
        let state = state.withLock { $0 }
        if state.isAccepted { try complete(state) }
    }

    private func complete(_ state: State) throws {
        try locked { file in
            file.isEnded = true
            try file.open.take()?.complete(as: state.target, replaces: options.existingFile == .replace, part(state))
        }
    }

    private func part(_ state: State) -> ResumePoint? {
        destination != nil && options.keepsPartialFile && state.resumableLength > 0 ? state.part : nil
    }

    /// Closes the file. A complete file gets its name, and a part is kept or removed.
    func end(_ result: Result<URLResponse, any Error>) throws -> (URL, URLResponse) {
        let state = state.withLock { $0 }
        do {
            let response = try result.get()
            if !state.isAccepted, let http = response as? HTTPURLResponse {
                guard destination == nil else { throw DownloadError.unacceptableStatus(http) }
                try prepareFile()
            }
            try complete(state)
            return (state.target, (state.isAccepted ? state.first : nil) ?? response)
        } catch {
            file.withLock { file in
                file.isEnded = true
                file.open.take()?.end(keeping: part(state))
            }
            // A call can be cancelled after its file was finished.
            if destination == nil { unlink(state.target.path) }
            throw error
        }
    }
}

extension HTTPURLResponse {
    /// Some servers send a range with the status 200.
    fileprivate var concernsRange: Bool {
        [206, 416].contains(statusCode) || statusCode == 200 && value(forHTTPHeaderField: "Content-Range") != nil
    }
}
