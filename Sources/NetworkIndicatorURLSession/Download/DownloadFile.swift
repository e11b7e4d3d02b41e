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
        var file: PartialFile
        /// The body of an unsuccessful response.
        var errorFile: PartialFile?
        /// The description of the file's contents.
        var part: ResumePoint?
        /// Whether the next attempt resumes the part.
        var resumesPart: Bool
        /// The response that the file began with, in this call.
        var response: URLResponse?
        var attempt = Attempt()
        var isEnded = false
        /// Whether the file was moved, or was kept because it couldn't be moved.
        var isCommitted = false
    }

    private struct Attempt {
        var request: URLRequest?
        /// The file that receives the body.
        var target: PartialFile?
        /// The length of the whole file, if the response announces it.
        var total: Int64?
        var isResumed = false
    }

    /// The error of a response that doesn't continue the part. Repeat the request for the whole file.
    struct PartRefused: Error {}

    private let state: Lock<State>
    private let destination: URL?
    private let options: DownloadOptions
    private let events: EventRelay

    private var keepsPart: Bool { destination != nil && options.keepsPartialFile }

    init(_ file: PartialFile, to destination: URL? = nil, _ options: DownloadOptions, _ events: EventRelay) {
        self.destination = destination
        self.options = options
        self.events = events
        let part = destination != nil && options.keepsPartialFile ? file.info : nil
        state = Lock(State(file: file, part: part, resumesPart: !options.startsOver))
    }

    /// Opens the file. This precedes the first request, so that an unwritable directory causes no traffic.
    convenience init(
        to destination: URL?, _ options: DownloadOptions, _ events: EventRelay
    ) throws(DownloadError) {
        guard let destination else {
            self.init(try PartialFile(), options, events)
            return
        }
        if let stream = options.stream {
            self.init(try PartialFile(streamingTo: stream, url: destination), to: destination, options, events)
            return
        }
        try Self.check(destination, options)
        self.init(try Self.open(destination, options), to: destination, options, events)
    }

    private static func check(_ destination: URL, _ options: DownloadOptions) throws(DownloadError) {
        var code: POSIXErrorCode?
        var status = stat()
        if destination.scheme ?? "file" == "file", !destination.relativePath.hasPrefix("/"),
            FileManager.default.currentDirectoryPath.isEmpty
        {
            code = .ENOENT  // The working directory was removed. The path would be one in the root directory.
        } else if !destination.isFileURL {
            code = .EINVAL
        } else if lstat(destination.path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR {
                code = .EISDIR
            } else if !options.replacesDestination {
                code = .EEXIST
            }
        }
        if let code { throw .file(.create, url: destination, code: code) }
    }

    private static func open(_ destination: URL, _ options: DownloadOptions) throws(DownloadError) -> PartialFile {
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

    /// Prepares an attempt.
    ///
    /// - Returns: The request of the attempt.
    func prepare(_ request: URLRequest) -> URLRequest {
        let (stale, prepared) = state.withLock { state in
            let stale = state.errorFile
            state.errorFile = nil
            state.attempt = Attempt(request: request)
            let length = state.file.length
            guard let part = state.part, part.isResumable, state.resumesPart, length > 0 else {
                return (stale, request)
            }
            state.attempt.isResumed = true
            return (stale, part.resuming(request, after: length))
        }
        stale?.end(.removed)
        return prepared
    }

    // MARK: BodyReceiver

    func begin(_ response: URLResponse) throws -> Bool {
        let http = response as? HTTPURLResponse
        let (attempt, part, file) = state.withLock { ($0.attempt, $0.part, $0.file) }
        if attempt.isResumed, let part, let http, [206, 416].contains(http.statusCode) {
            guard http.statusCode == 206, let total = part.total(continuedBy: http, after: file.length) else {
                state.withLock { $0.part = nil }
                throw PartRefused()
            }
            try check(total)
            receive(into: file, total)
            state.withLock { $0.response = $0.response ?? response }
            events.post(.receiving(isResumable: true))
        } else if Self.isSuccess(response, to: attempt.request) {
            try startOver(response, attempt, file)
        } else if destination != nil {
            return false
        } else {
            try receiveError(response, attempt)
        }
        events.report(progress)
        return true
    }

    static func isSuccess(_ response: URLResponse, to request: URLRequest?) -> Bool {
        guard let status = (response as? HTTPURLResponse)?.statusCode else { return true }
        return (200..<300).contains(status)
            && (status != 206 || request?.value(forHTTPHeaderField: "Range") != nil)
    }

    private func startOver(_ response: URLResponse, _ attempt: Attempt, _ file: PartialFile) throws {
        let total = attempt.request.flatMap(response.bodyLength)
        try check(total ?? 0)
        if keepsPart { file.removeInfo() }
        try file.truncate()
        let part = attempt.request.flatMap { ResumePoint(response, to: $0) }
        let isResumable = part?.isResumable == true
        if keepsPart, let part, isResumable, total ?? .max > Self.smallLength { try file.writeInfo(part) }
        state.withLock { state in
            state.part = part
            state.resumesPart = true
            state.response = response
        }
        if receive(into: file, total), keepsPart { file.removeInfo() }
        events.post(.receiving(isResumable: isResumable))
    }

    /// Up to this length, the description of a part is written only when the part is kept. Writing it before the first byte
    /// would double the time that short downloads take, but a part also survives the end of the process.
    private static let smallLength: Int64 = 1_000_000

    private func receiveError(_ response: URLResponse, _ attempt: Attempt) throws {
        let file = try PartialFile()
        if receive(into: file, attempt.request.flatMap(response.bodyLength), isError: true) { file.end(.removed) }
    }

    /// Directs the body to a file. An earlier response was a request for credentials, not the answer.
    ///
    /// - Returns: Whether the download has ended meanwhile.
    @discardableResult
    private func receive(into file: PartialFile, _ total: Int64?, isError: Bool = false) -> Bool {
        let (question, isEnded) = state.withLock { state in
            (state.attempt.target, state.attempt.total) = (file, total)
            defer { state.errorFile = isError ? file : nil }
            return (state.errorFile, state.isEnded)
        }
        question?.end(.removed)
        return isEnded
    }

    private func check(_ length: Int64) throws(DownloadError) {
        if let limit = options.maximumBytes, length > limit { throw .tooLarge(limit: limit) }
    }

    func write(_ data: Data) throws {
        guard let target = state.withLock(\.attempt.target) else { return }
        try check(target.length + Int64(data.count))
        try target.write(data)
        events.report(progress)
    }

    func end() throws {
        let attempt = state.withLock(\.attempt)
        if let target = attempt.target { try progress.check(target.length, attempt.total, attempt.request) }
    }

    var progress: TransferProgress {
        state.withLock {
            TransferProgress(completedBytes: $0.attempt.target?.length ?? 0, totalBytes: $0.attempt.total)
        }
    }

    // MARK: The end

    /// Gives a part that is already complete its final name, without a request.
    ///
    /// - Returns: `nil` if the part isn't complete.
    func commitComplete(_ request: URLRequest) throws(DownloadError) -> (URL, URLResponse)? {
        let (file, part, resumesPart) = state.withLock { ($0.file, $0.part, $0.resumesPart) }
        guard let destination, let part, resumesPart, part.isComplete(file.length, for: request),
            let response = part.response
        else {
            return nil
        }
        try check(file.length)
        events.report(TransferProgress(completedBytes: file.length, totalBytes: file.length))
        try move(file, to: destination, part)
        return (destination, response)
    }

    /// Passes the file to the caller, under its final name.
    ///
    /// - Parameter response: The response of the last attempt.
    /// - Returns: The name of the file, and the response that it began with.
    func commit(_ response: URLResponse) throws(DownloadError) -> (URL, URLResponse) {
        let state = state.withLock { $0 }
        let first = state.attempt.isResumed ? state.response ?? response : response
        guard let destination else {
            let made = state.errorFile ?? state.file
            // `discard()` does nothing to a closed file.
            if let code = made.end(.kept) { throw .file(.write, url: made.url, code: code) }
            return (made.url, state.errorFile == nil ? first : response)
        }
        if let http = response as? HTTPURLResponse, state.attempt.target == nil { throw .unacceptableStatus(http) }
        try move(state.file, to: destination, state.part)
        return (destination, first)
    }

    private func move(_ file: PartialFile, to destination: URL, _ part: ResumePoint?) throws(DownloadError) {
        state.withLock { $0.isCommitted = true }
        do {
            try file.move(to: destination, replaces: options.replacesDestination)
        } catch {
            if keepsPart, case .notMoved = error, var part {
                // A later call repeats only the move.
                part.total = file.length
                try? file.writeInfo(part)
            }
            throw error
        }
        if keepsPart { file.removeInfo() }
    }

    /// Closes the files that were not passed to the caller. Keeps a part that can be resumed, if the options ask for that,
    /// and removes all other files. Data that still arrives is dropped.
    func discard() {
        let state = state.withLock { state in
            state.isEnded = true
            return state
        }
        state.errorFile?.end(.removed)
        guard !state.isCommitted else { return }
        if keepsPart, let part = state.part, part.isResumable, state.file.length > 0 {
            if part.total ?? .max <= Self.smallLength { try? state.file.writeInfo(part) }
            state.file.end(.kept)
        } else {
            if keepsPart { state.file.removeInfo() }
            state.file.end(.removed)
        }
    }
}
