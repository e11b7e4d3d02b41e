import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a download's attempts write to, one after the other.
///
/// An attempt either continues what is there or starts a new file. What is there is given up only for a whole new
/// version of it: a response with an error status goes to a file of its own.
final class DownloadFile: Sendable {
    private struct State {
        /// The part that earlier attempts left, if it can be continued.
        var part: Part?
        /// Where the attempt under way writes to.
        var current: Current?
        /// What the last attempt made, until it is handed over.
        var finished: PartialFile?
        /// What is being written to or closed at the moment, outside of the lock.
        var busy: PartialFile?
        /// What is to be deleted, outside of the lock.
        var useless: [PartialFile] = []
    }

    private struct Part {
        let file: PartialFile
        let response: HTTPURLResponse
        var point: ResumePoint

        /// How long the whole file is, where the response says so.
        var total: Int64? { response.expectedContentLength > 0 ? response.expectedContentLength : nil }
    }

    private struct Current {
        let request: URLRequest
        var file: PartialFile?
        var response: URLResponse?
        /// How long the whole file is, where `file` is the part, continued.
        var continuedTotal: Int64?
        var error: (any Error)?
        /// Whether no file is to be made of the response.
        var isStatusOnly = false
        /// How many bytes have come in that are of no use.
        var ignored = 0
    }

    private let state = Lock(State())
    private let makeFile: @Sendable (URLResponse) throws -> PartialFile?

    /// So much of a body that is of no use is read, since that is less trouble than to break it off.
    private static let patience = 1_000_000

    /// - Parameter makeFile: Makes a file for a response; `nil` where only the status is of use.
    init(_ makeFile: @escaping @Sendable (URLResponse) throws -> PartialFile?) {
        self.makeFile = makeFile
    }

    /// Changes the state, and deletes what that has made useless: outside of the lock, as a file system may take its time.
    private func update<R>(_ body: (inout State) -> R) -> R {
        let (result, useless) = state.withLock { state in
            let result = body(&state)
            defer { state.useless = [] }
            return (result, state.useless)
        }
        for file in useless { file.delete() }
        return result
    }

    /// Prepares an attempt, and the request it is to be made with.
    func begin(_ request: URLRequest) -> URLRequest {
        update { state in
            if let refused = state.finished { state.useless.append(refused) }
            state.finished = nil
            state.current = Current(request: request)
            return state.part.map { $0.point.continuing(request) } ?? request
        }
    }

    /// Opens the file that the response calls for.
    func receive(_ response: URLResponse) {
        // Linux tells of a 100 or a 103 as if it were the answer, and then of the answer.
        if let response = response as? HTTPURLResponse, response.statusCode < 200 { return }
        let needsFile = update { state in
            guard let current = state.current else { return false }
            if current.response != nil {
                // That was not the answer, but the question for a password.
                keep(current, in: &state)
                state.current = Current(request: current.request)
            }
            state.current?.response = response
            guard let http = response as? HTTPURLResponse, [206, 416].contains(http.statusCode), let part = state.part
            else { return true }
            if http.statusCode == 206, let total = part.point.totalIfContinued(by: http, total: part.total) {
                state.current?.file = part.file
                state.current?.response = part.response
                state.current?.continuedTotal = total
            } else {
                // Not what was asked for: what is there is not continued with it, and of no use any more.
                state.part = nil
                state.useless.append(part.file)
                state.current?.error = URLError.notContinued
            }
            return false
        }
        if needsFile { start(Result { try makeFile(response) }) }
    }

    private func start(_ file: Result<PartialFile?, any Error>) {
        update { state in
            switch file {
            case .success(nil): state.current?.isStatusOnly = true
            case .success(let file?) where state.current == nil: state.useless.append(file)  // discarded meanwhile
            case .success(let file?): state.current?.file = file
            case .failure(let error): state.current?.error = error
            }
        }
    }

    /// - Returns: Whether the attempt is to be broken off, as too much comes in that is of no use. Said once for
    ///   each response.
    func receive(_ data: Data) -> Bool {
        let file = state.withLock { state in
            if state.current?.error == nil { state.busy = state.current?.file }
            return state.busy
        }
        // A disk may take its time. Whoever discards the file does not wait for it.
        let result = file.map { file in Result { try file.write(data) } }
        return update { state in
            state.busy = nil
            guard let current = state.current else {
                if let file { state.useless.append(file) }
                return false  // the attempt is being cancelled
            }
            switch result {
            case .success: break
            case .failure(let error): state.current?.error = error
            case nil:
                let ignored = current.ignored + data.count
                state.current?.ignored = ignored
                return current.ignored < Self.patience && ignored >= Self.patience
            }
            return false
        }
    }

    /// Ends an attempt with this error, once it ends.
    func fail(_ error: any Error) {
        state.withLock { $0.current?.error = error }
    }

    /// Ends an attempt.
    ///
    /// - Parameters:
    ///   - response: The task's response, in case it was not told of.
    ///   - error: The task's error.
    /// - Returns: The file, which is the caller's after ``handOver()``, or the error; what can be continued is kept for the
    ///   next attempt.
    func end(_ response: URLResponse?, _ error: (any Error)?) -> Result<(URL?, URLResponse), any Error> {
        // On Linux a redirect that leads nowhere ends without a response having been told of.
        if error == nil, let response, state.withLock({ $0.current?.response == nil }) { receive(response) }
        let current = state.withLock { state in
            state.busy = state.current?.file
            return state.current
        }
        guard let current else { return .failure(error ?? CancellationError()) }
        let result = Result { () throws -> (URL?, URLResponse) in
            if current.isStatusOnly, let response = current.response { return (nil, response) }
            if let error = current.error ?? error { throw error }
            guard let file = current.file, let response = current.response else { throw URLError(.badServerResponse) }
            if let total = current.continuedTotal, total != file.length { throw URLError(.networkConnectionLost) }
            try file.close()
            return (file.url, response)
        }
        return update { state in
            let isDiscarded = state.current == nil
            (state.current, state.busy) = (nil, nil)
            if isDiscarded {
                if let file = current.file { state.useless.append(file) }
                return .failure(error ?? CancellationError())
            }
            if case .failure = result {
                keep(current, in: &state)
            } else {
                if current.continuedTotal != nil { state.part = nil }
                state.finished = current.file
            }
            return result
        }
    }

    private func keep(_ current: Current, in state: inout State) {
        guard let file = current.file else { return }
        if current.continuedTotal != nil {
            state.part?.point.length = file.length
        } else if let response = current.response as? HTTPURLResponse,
            let point = ResumePoint(response, to: current.request, length: file.length)
        {
            if let earlier = state.part { state.useless.append(earlier.file) }
            state.part = Part(file: file, response: response, point: point)
        } else {
            state.useless.append(file)
        }
    }

    /// Leaves the last attempt's file to the caller.
    func handOver() {
        state.withLock { $0.finished = nil }
    }

    /// Deletes what has not been handed over, though a file that is being written to only after that. Whatever still comes
    /// in is dropped.
    func discard() {
        update { state in
            // A part that is being continued is the current file, too.
            let files = [state.part?.file, state.current?.file, state.finished].compactMap { $0 }
            state.useless += files.filter { $0 !== state.busy }
            (state.part, state.current, state.finished) = (nil, nil, nil)
        }
    }
}

extension URLError {
    private static let notContinuedKey = "NetworkIndicatorNotContinued"

    fileprivate static var notContinued: URLError {
        URLError(
            .networkConnectionLost,
            userInfo: [
                NSLocalizedDescriptionKey: "The server did not continue the file where it broke off",
                notContinuedKey: true,
            ])
    }

    /// Whether a server that was asked for the rest of a file sent something else. The next attempt starts over.
    package var isNotContinued: Bool { userInfo[Self.notContinuedKey] != nil }
}
