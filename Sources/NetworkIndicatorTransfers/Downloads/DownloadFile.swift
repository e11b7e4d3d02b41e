import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The file that the attempts of a download write to, one after the other.
///
/// An attempt resumes the part of earlier attempts, or starts over. Only successful responses are written to the file.
/// With a destination, the body of another status is ignored; otherwise it is written to a separate file.
final class DownloadFile: BodyReceiver {
    private struct State {
        /// The description of the file's contents.
        var part: ResumePoint?
        /// The response that the file began with, in this call.
        var response: URLResponse?
        var attempt: Attempt?
    }

    private struct Attempt {
        let request: URLRequest
        /// Whether the request asks for the rest of the file, after the part.
        let resumes: Bool
        /// The file that receives the body.
        var target: PartialFile?
        /// The length of the whole file, if the response announces it.
        var total: Int64?
    }

    private let file: PartialFile
    private let destination: URL?
    private let options: DownloadOptions
    private let events: EventRelay
    private let state: Lock<State>

    /// Opens the file. This precedes the first request, so that an unwritable directory causes no traffic.
    init(to destination: URL?, _ options: DownloadOptions, _ events: EventRelay) throws(DownloadError) {
        file = if let destination { try Self.open(destination, options) } else { try PartialFile() }
        self.destination = destination
        self.options = options
        self.events = events
        state = Lock(State(part: file.info))
    }

    private static func open(_ destination: URL, _ options: DownloadOptions) throws(DownloadError) -> PartialFile {
        if let stream = options.stream { return try PartialFile(streamingTo: stream, url: destination) }
        if let code = obstacle(at: destination, replaces: options.replacesDestination) {
            throw .file(.create, url: destination, code: code)
        }
        let url = options.partialFile(for: destination)
        if options.keepsPartialFile { return try PartialFile(resuming: url) }
        #if canImport(Darwin)
        // A sandboxed Mac app may write only the file that its user chose, and this directory.
        if options.partialFile == nil,
            let directory = try? FileManager.default.url(
                for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: destination, create: true)
        {
            let file = directory.appendingPathComponent(url.lastPathComponent, isDirectory: false)
            return try PartialFile(creating: file, in: directory)
        }
        #endif
        return try PartialFile(creating: url)
    }

    /// Returns why a file can't be created at this URL, or `nil`.
    private static func obstacle(at destination: URL, replaces: Bool) -> POSIXErrorCode? {
        if destination.scheme ?? "file" == "file", !destination.relativePath.hasPrefix("/"),
            FileManager.default.currentDirectoryPath.isEmpty
        {
            return .ENOENT  // The working directory was removed. The path would be one in the root directory.
        }
        if !destination.isFileURL { return .EINVAL }
        var status = stat()
        guard lstat(destination.path, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFDIR { return .EISDIR }
        return replaces ? nil : .EEXIST
    }

    private func check(_ length: Int64) throws(DownloadError) {
        if let limit = options.maximumBytes, length > limit { throw .tooLarge(limit: limit) }
    }

    // MARK: BodyReceiver

    func prepare(_ request: URLRequest) -> URLRequest {
        let length = file.length
        let (prepared, earlier) = state.withLock { state in
            // With `startsOver`, the part of an earlier call isn't resumed.
            let canResume = length > 0 && (state.response != nil || !options.startsOver)
            let part = canResume && state.part?.isResumable == true ? state.part : nil
            let earlier = state.attempt
            state.attempt = Attempt(request: request, resumes: part != nil)
            return (part?.resuming(request, after: length) ?? request, earlier)
        }
        // An unused file is removed with its object, outside the lock.
        withExtendedLifetime(earlier) {}
        return prepared
    }

    func begin(_ response: URLResponse) throws -> BodyDisposition {
        let (attempt, part) = state.withLock { ($0.attempt, $0.part) }
        guard let attempt else { return .ignored }
        let total = response.bodyLength(for: attempt.request)
        if attempt.resumes, let http = response as? HTTPURLResponse, [206, 416].contains(http.statusCode) {
            guard let total = part?.total(continuedBy: http, after: file.length) else {
                state.withLock { $0.part = nil }
                return .refused
            }
            try check(total)
            receive(response, into: file, total)
            events.post(.receiving(isResumable: true))
        } else if Self.isSuccess(response, to: attempt.request) {
            try check(total ?? 0)
            let part = try startOver(response, attempt.request, total)
            receive(response, into: file, total)
            events.post(.receiving(isResumable: part?.isResumable == true))
        } else if destination != nil {
            return .ignored
        } else {
            receive(response, into: try PartialFile(), total)
        }
        events.report(progress)
        return .accepted
    }

    private static func isSuccess(_ response: URLResponse, to request: URLRequest) -> Bool {
        guard let status = (response as? HTTPURLResponse)?.statusCode else { return true }
        return (200..<300).contains(status) && (status != 206 || request.value(forHTTPHeaderField: "Range") != nil)
    }

    /// Empties the file, and describes what it will contain.
    private func startOver(_ response: URLResponse, _ request: URLRequest, _ total: Int64?) throws -> ResumePoint? {
        try file.truncate()
        let part = ResumePoint(response, to: request)
        if let part, part.isResumable, total ?? .max > Self.smallLength { try file.describe(part) }
        state.withLock { state in
            state.part = part
            state.response = response
        }
        return part
    }

    /// Up to this length, the description of a part is written only when the part is kept. A longer file's description
    /// is written before the first byte, so that the part can be resumed after the end of the process. For short
    /// downloads, that would double their time.
    private static let smallLength: Int64 = 1_000_000

    /// Directs the body to a file. An earlier response was a request for credentials, not the response.
    private func receive(_ response: URLResponse, into target: PartialFile, _ total: Int64?) {
        let earlier = state.withLock { state in
            let earlier = state.attempt
            state.attempt?.target = target
            state.attempt?.total = total
            if target === file, state.response == nil { state.response = response }
            return earlier
        }
        withExtendedLifetime(earlier) {}
    }

    func write(_ data: Data) throws {
        guard let target = state.withLock(\.attempt?.target) else { return }
        try check(target.length + Int64(data.count))
        try target.write(data)
    }

    var length: (received: Int64, total: Int64?) {
        let attempt = state.withLock(\.attempt)
        return (attempt?.target?.length ?? 0, attempt?.total)
    }

    // MARK: The end

    /// Gives a part that is already complete its final name, without a request.
    ///
    /// - Returns: `nil` if the part isn't complete.
    func commitComplete(_ request: URLRequest) throws(DownloadError) -> (URL, URLResponse)? {
        let part = state.withLock(\.part)
        guard let destination, let part, !options.startsOver, part.isComplete(file.length, for: request),
            let response = part.response
        else { return nil }
        try check(file.length)
        events.report(TransferProgress(completedBytes: file.length, totalBytes: file.length))
        try file.move(to: destination, replaces: options.replacesDestination, part)
        return (destination, response)
    }

    /// Passes the file to the caller, under its final name.
    ///
    /// - Parameter response: The response of the last attempt.
    /// - Returns: The name of the file, and the response that it began with.
    func commit(_ response: URLResponse) throws(DownloadError) -> (URL, URLResponse) {
        let state = state.withLock { $0 }
        let target = state.attempt?.target
        let first = target === file ? state.response ?? response : response
        if let destination {
            if let http = response as? HTTPURLResponse, target == nil { throw .unacceptableStatus(http) }
            try file.move(to: destination, replaces: options.replacesDestination, state.part)
            return (destination, first)
        }
        let result = target ?? file
        if let code = result.end(.kept) { throw .file(.write, url: result.url, code: code) }
        return (result.url, first)
    }

    /// Closes the files that were not passed to the caller. Keeps a part that can be resumed, if the options ask for that,
    /// and removes all other files. Data that still arrives is dropped.
    func discard() {
        let state = state.withLock { $0 }
        if let target = state.attempt?.target, target !== file { target.end(.removed) }
        if file.isResumable, let part = state.part, part.isResumable, file.length > 0 {
            if part.total ?? .max <= Self.smallLength { try? file.describe(part) }
            file.end(.kept)
        } else {
            file.end(.removed)
        }
    }
}
