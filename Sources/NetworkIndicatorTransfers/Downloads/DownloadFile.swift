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
        var isAccepted = false
        var length: (received: Int64, total: Int64?) = (0, nil)
    }

    private let file: PartialFile
    private let destination: URL?
    private let options: DownloadOptions
    private let events: EventRelay
    private let state: Lock<State>

    init(of request: URLRequest, to destination: URL?, _ options: DownloadOptions, _ events: EventRelay)
        throws(DownloadError)
    {
        let destination = destination?.file(for: request)
        file = try Self.open(destination, replaces: options.replacesDestination)
        var part = destination != nil && options.keepsPartialFile && file.length > 0 ? file.description : nil
        // The last byte of a complete part is requested again, to check whether the file has changed on the server.
        if let total = part?.total, file.length == total { try file.truncate(to: total - 1) }
        if let total = part?.total, file.length > total { part = nil }
        self.destination = destination
        self.options = options
        self.events = events
        state = Lock(State(part: part))
    }

    private static func open(_ destination: URL?, replaces: Bool) throws(DownloadError) -> PartialFile {
        guard let destination else {
            let name = "NetworkIndicator-\(UUID()).download"
            return try PartialFile(FileManager.default.temporaryDirectory.appendingPathComponent(name), mode: 0o600)
        }
        let part = DownloadOptions.partialFile(for: destination)
        if let code = destination.obstacle(replaces: replaces) { throw .file(.create, url: destination, code: code) }
        do throws(DownloadError) {
            // The contents of a private file stay private.
            return try PartialFile(part, mode: destination.permissions.map { $0 | 0o200 } ?? 0o666)
        } catch {
            #if canImport(Darwin)
            // The sandbox of a Mac app can permit writing to the destination, but not creating a file beside it.
            if case .file(_, _, .EPERM) = error,
                let directory = try? FileManager.default.url(
                    for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: destination, create: true)
            {
                return try PartialFile(
                    directory.appendingPathComponent(part.lastPathComponent, isDirectory: false), in: directory)
            }
            #endif
            throw error
        }
    }

    private func check(_ length: Int64) throws(DownloadError) {
        if let limit = options.maximumBytes, length > limit { throw .tooLarge(limit: limit) }
    }

    // MARK: BodyReceiver

    func prepare(_ request: URLRequest) -> URLRequest {
        let length = file.length
        let part = length > 0 ? state.withLock(\.part) : nil
        let resuming = part?.resuming(request, after: length)
        state.withLock { state in
            state.resumes = resuming != nil
            state.isAccepted = false
            state.length = (0, nil)
        }
        return resuming ?? request
    }

    func begin(_ response: URLResponse, to request: URLRequest) throws -> BodyDisposition {
        let state = state.withLock { $0 }
        let total = try response.bodyLength(for: request)
        let accepted: (part: ResumePoint?, first: URLResponse, length: (received: Int64, total: Int64?))
        if state.resumes, let http = response as? HTTPURLResponse, [206, 416].contains(http.statusCode) {
            let length = file.length
            guard let old = state.part, old.isContinued(by: http, after: length) else {
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
        self.state.withLock { state in
            (state.part, state.first, state.length) = accepted
            state.isAccepted = true
        }
        events.post(.receiving(isResumable: accepted.part != nil, isVerifiable: response.isVerifiable))
        events.report(progress, atOnce: true)
        return .accepted
    }

    private static func isSuccess(_ response: URLResponse, to request: URLRequest) -> Bool {
        guard let status = (response as? HTTPURLResponse)?.statusCode else { return true }
        return (200..<300).contains(status) && ![204, 205].contains(status)
            && (status != 206 || request.value(forHTTPHeaderField: "Range") != nil)
    }

    private func startOver(_ part: ResumePoint?) throws(DownloadError) {
        try file.truncate(to: 0)
        guard destination != nil else { return }
        let isLong = part.map { $0.total > Self.smallLength } ?? false
        try file.describe(options.keepsPartialFile && isLong ? part : nil)
    }

    /// For a longer file, the description is written before the first byte, so that the download can be resumed even
    /// if the process is killed. Writing the description could double the duration of a shorter download.
    private static let smallLength: Int64 = 1_000_000

    func write(_ data: Data) throws {
        let length = state.withLock { state in
            state.length.received += Int64(data.count)
            return state.length.received
        }
        try check(length)
        try file.write(data)
    }

    var length: (received: Int64, total: Int64?) { state.withLock(\.length) }

    var resumableLength: Int64 { state.withLock { $0.isAccepted && $0.part != nil ? $0.length.received : 0 } }

    // MARK: The end

    func accepted(_ response: URLResponse) throws(DownloadError) -> URLResponse {
        let state = state.withLock { $0 }
        if let http = response as? HTTPURLResponse, !state.isAccepted { throw .unacceptableStatus(http) }
        return state.first ?? response
    }

    func commit() throws(DownloadError) -> URL {
        try file.complete(as: destination, replaces: options.replacesDestination, keptPart)
        return destination ?? file.url
    }

    func discard() { file.end(keeping: keptPart) }

    private var keptPart: ResumePoint? {
        destination != nil && options.keepsPartialFile ? state.withLock(\.part) : nil
    }
}
