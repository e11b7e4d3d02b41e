import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

final class DownloadFile: BodyReceiver {
    private struct State {
        var part: ResumePoint?
        /// The response with which this call began to write the current contents of the file.
        var first: URLResponse?
        var resumes = false
        /// `nil` unless the response of the attempt has been accepted.
        var length: (received: Int64, total: Int64?)?
    }

    let queue: DispatchQueue?
    /// `nil` after the end. The lock is held for each write, and while the file is closed. No operation is therefore in
    /// progress after the call has ended, and another call may use the file.
    private let file: Lock<OpenFile?>
    private let target: URL
    private let request: URLRequest
    private let destination: URL?
    private let options: DownloadOptions
    private let state: Lock<State>

    /// Opens the file, and may therefore block.
    init(
        of request: URLRequest, to destination: URL?, _ options: DownloadOptions, on queue: DispatchQueue? = nil
    ) throws(DownloadError) {
        let target = destination?.file(for: request)
        var file = try Self.open(target, replaces: options.replacesDestination)
        var part =
            destination != nil && options.keepsPartialFile && file.length > 0 ? ResumePoint(for: file.url) : nil
        // The last byte of a complete part is requested again, to check whether the file has changed on the server.
        if let total = part?.total, file.length == total { try? file.truncate(to: total - 1) }
        if let total = part?.total, file.length >= total { part = nil }
        self.queue = queue
        self.file = Lock(file)
        self.target = target ?? file.url
        self.request = request
        self.destination = destination
        self.options = options
        state = Lock(State(part: part))
    }

    deinit { file.withLock { $0.take()?.end(keeping: nil) } }

    private static func open(_ destination: URL?, replaces: Bool) throws(DownloadError) -> OpenFile {
        guard let destination else {
            let name = "NetworkIndicator-\(UUID()).download"
            return try OpenFile(FileManager.default.temporaryDirectory.appendingPathComponent(name), mode: 0o600)
        }
        guard destination.isFileURL || destination.lacksDirectory else { throw .unsupportedDestination(destination) }
        let part = DownloadOptions.partialFile(for: destination)
        OpenFile.finishMove(of: part, to: destination)
        if let code = destination.obstacle(replaces: replaces) { throw .file(.create, url: destination, code: code) }
        do throws(DownloadError) {
            // The contents of a private file stay private.
            return try OpenFile(part, mode: destination.permissions.map { $0 | 0o200 } ?? 0o666)
        } catch {
            #if canImport(Darwin)
            // The sandbox of a Mac app can permit writing to the destination, but not creating a file beside it.
            if case .file(_, _, .EPERM) = error,
                let directory = try? FileManager.default.url(
                    for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: destination, create: true)
            {
                return try OpenFile(
                    directory.appendingPathComponent(part.lastPathComponent, isDirectory: false), in: directory)
            }
            #endif
            throw error
        }
    }

    private func locked<Failure: Error>(
        _ body: (inout OpenFile?) throws(Failure) -> Void
    ) throws(Failure) {
        try file.withLock { file in Result { () throws(Failure) in try body(&file) } }.get()
    }

    private func check(_ length: Int64) throws(DownloadError) {
        if let limit = options.maximumBytes, length > limit { throw .tooLarge(limit: limit) }
    }

    // MARK: BodyReceiver

    func prepare(_ request: URLRequest) -> URLRequest {
        let length = fileLength
        let part = length > 0 ? state.withLock(\.part) : nil
        let resuming = part?.resuming(request, after: length)
        state.withLock { ($0.resumes, $0.length) = (resuming != nil, nil) }
        return resuming ?? request
    }

    private var fileLength: Int64 { file.withLock { $0?.length ?? 0 } }

    func begin(_ response: URLResponse, to request: URLRequest) throws -> BodyDisposition {
        let state = state.withLock { $0 }
        let total = try response.bodyLength(for: request)
        let accepted: (part: ResumePoint?, first: URLResponse, length: (received: Int64, total: Int64?))
        if state.resumes, let http = response as? HTTPURLResponse, http.concernsRange {
            let length = fileLength
            guard let old = state.part, old.isContinued(by: http, after: length), total ?? 0 <= old.total - length
            else {
                self.state.withLock { $0.part = nil }
                return .refused
            }
            try check(old.total)
            accepted = (old, state.first ?? response, (length, old.total))
        } else if destination == nil || Self.isSuccess(response, to: request) {
            try check(total ?? 0)
            accepted = (ResumePoint(response, to: request, total: total), response, (0, total))
            try startOver(accepted.part)
        } else {
            return .ignored
        }
        self.state.withLock { ($0.part, $0.first, $0.length) = accepted }
        return .accepted(
            announcing: .receiving(isResumable: accepted.part != nil, isVerifiable: response.isVerifiable))
    }

    private static func isSuccess(_ response: URLResponse, to request: URLRequest) -> Bool {
        guard let status = (response as? HTTPURLResponse)?.statusCode else { return true }
        return (200..<300).contains(status) && ![204, 205].contains(status)
            && (status != 206 || request.value(forHTTPHeaderField: "Range") != nil)
    }

    private func startOver(_ part: ResumePoint?) throws(DownloadError) {
        let isLong = part.map { $0.total > Self.smallLength } ?? false
        try locked { file throws(DownloadError) in
            try file?.truncate(to: 0)
            if destination != nil { try file?.describe(options.keepsPartialFile && isLong ? part : nil) }
        }
    }

    /// For a longer file, the description is written before the first byte, so that the download can be resumed even
    /// if the process is killed. Writing the description could double the duration of a shorter download.
    private static let smallLength: Int64 = 1_000_000

    func write(_ data: Data) throws -> TransferProgress {
        let (received, total) = state.withLock { state in
            state.length?.received += Int64(data.count)
            return state.length ?? (0, nil)
        }
        try check(received)
        if let total, received > total {
            // The response doesn't contain what it announced, so the next attempt starts over.
            state.withLock { $0.part = nil }
            try locked { file throws(DownloadError) in try file?.describe(nil) }
            let reason = "the server sent more than the announced \(total) bytes"
            throw URLError(.networkConnectionLost, reason: reason, url: request.url)
        }
        try locked { file throws(DownloadError) in try file?.append(data) }
        return TransferProgress(completedBytes: received, totalBytes: total)
    }

    var progress: TransferProgress {
        let (received, total) = state.withLock(\.length) ?? (0, nil)
        return TransferProgress(completedBytes: received, totalBytes: total)
    }

    var resumableLength: Int64 { state.withLock { $0.part == nil ? 0 : $0.length?.received ?? 0 } }

    // MARK: The end

    func accepted(_ response: URLResponse) throws(DownloadError) -> URLResponse {
        let state = state.withLock { $0 }
        if let http = response as? HTTPURLResponse, state.length == nil { throw .unacceptableStatus(http) }
        return state.first ?? response
    }

    func commit() throws(DownloadError) -> URL {
        let part = keptPart
        try locked { file throws(DownloadError) in
            try file.take()?.complete(as: target, replaces: options.replacesDestination, part)
        }
        return target
    }

    func discard() {
        let part = keptPart
        locked { file in file.take()?.end(keeping: part) }
    }

    private var keptPart: ResumePoint? {
        destination != nil && options.keepsPartialFile ? state.withLock(\.part) : nil
    }
}

extension HTTPURLResponse {
    /// Some servers send a range with the status 200.
    fileprivate var concernsRange: Bool {
        [206, 416].contains(statusCode) || statusCode == 200 && value(forHTTPHeaderField: "Content-Range") != nil
    }
}
