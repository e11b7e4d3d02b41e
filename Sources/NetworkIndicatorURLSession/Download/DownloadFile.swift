import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The file that a download's attempts write to, one after the other.
///
/// An attempt either continues what is there or starts a new file. What is there is given up only for a whole new
/// version of it: a response with an error status goes to a file of its own.
final class DownloadFile: Sendable {
    private struct State {
        /// The part that earlier attempts left, if it can be continued.
        var part: (file: OpenFile, response: HTTPURLResponse, point: ResumePoint)?
        /// Where the attempt under way writes to.
        var current: Current?
        /// What the last attempt made, until it is handed over.
        var finished: OpenFile?
        var isDiscarded = false
    }

    private struct Current {
        let request: URLRequest
        var file: OpenFile?
        var response: URLResponse?
        /// Whether `file` is the part, continued.
        var continues = false
        var error: (any Error)?
    }

    private let state = Lock(State())

    /// Prepares an attempt, and the request it is to be made with.
    func begin(_ request: URLRequest) -> URLRequest {
        state.withLock { state in
            state.finished?.delete()  // a response that was refused
            state.finished = nil
            state.current = Current(request: request)
            return state.part.map { $0.point.continuing(request) } ?? request
        }
    }

    /// Opens the file that the response calls for.
    func receive(_ response: URLResponse) {
        state.withLock { state in
            guard var current = state.current, !state.isDiscarded else { return }
            defer { state.current = current }
            let status = (response as? HTTPURLResponse)?.statusCode
            current.response = response
            if let part = state.part, let http = response as? HTTPURLResponse, status == 206 || status == 416 {
                let total = part.response.expectedContentLength
                if status == 206, part.point.isContinued(by: http, total: total > 0 ? total : nil) {
                    (current.file, current.response, current.continues) = (part.file, part.response, true)
                } else {
                    // Not what was asked for: what is there is not continued with it, and of no use any more.
                    state.part = nil
                    part.file.delete()
                    current.error = URLError(.networkConnectionLost, userInfo: Self.badRange)
                }
                return
            }
            do { current.file = try OpenFile() } catch { current.error = error }
        }
    }

    private static let badRange = [
        NSLocalizedDescriptionKey: "The server did not continue the file where it broke off"
    ]

    func receive(_ data: Data) {
        state.withLock { state in
            guard !state.isDiscarded, state.current?.error == nil, let file = state.current?.file else { return }
            do { try file.write(data) } catch { state.current?.error = error }
        }
    }

    /// Ends an attempt.
    ///
    /// - Parameter error: The task's error.
    /// - Returns: The file, which is the caller's after ``handOver()``, or the error; what can be continued is kept for the
    ///   next attempt.
    func end(_ error: (any Error)?) -> Result<(URL, URLResponse), any Error> {
        state.withLock { state in
            guard let current = state.current else { return .failure(error ?? CancellationError()) }
            state.current = nil
            let failure = current.error ?? error ?? shortfall(current, state)
            if let failure {
                keep(current, in: &state)
                return .failure(failure)
            }
            guard let file = current.file, let response = current.response else {
                return .failure(URLError(.badServerResponse))
            }
            file.close()
            if current.continues { state.part = nil }
            state.finished = file
            return .success((file.url, response))
        }
    }

    /// A continued file has to be as long as the first response said.
    private func shortfall(_ current: Current, _ state: State) -> (any Error)? {
        guard current.continues, let file = current.file, let expected = state.part?.response.expectedContentLength,
            expected > 0, file.length != expected
        else { return nil }
        return URLError(.networkConnectionLost)
    }

    private func keep(_ current: Current, in state: inout State) {
        guard let file = current.file else { return }
        if current.continues {
            state.part?.point.length = file.length
        } else if let response = current.response as? HTTPURLResponse,
            let point = ResumePoint(response, to: current.request, length: file.length)
        {
            state.part?.file.delete()
            state.part = (file, response, point)
        } else {
            file.delete()
        }
    }

    /// Leaves the last attempt's file to the caller.
    func handOver() {
        state.withLock { $0.finished = nil }
    }

    /// Deletes what has not been handed over. Whatever still comes in is dropped.
    func discard() {
        state.withLock { state in
            state.isDiscarded = true
            state.part?.file.delete()
            state.current?.file?.delete()
            state.finished?.delete()
            (state.part, state.current, state.finished) = (nil, nil, nil)
        }
    }
}

/// A temporary file that is being written.
///
/// `@unchecked Sendable`: used only under the lock of a ``DownloadFile``.
private final class OpenFile: @unchecked Sendable {
    let url: URL
    private let handle: FileHandle
    private(set) var length: Int64 = 0

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("NetworkIndicator-\(UUID()).download")
        try Data().write(to: url, options: .withoutOverwriting)
        handle = try FileHandle(forWritingTo: url)
    }

    func write(_ data: Data) throws {
        try handle.write(contentsOf: data)
        length += Int64(data.count)
    }

    func close() { try? handle.close() }

    func delete() {
        close()
        try? FileManager.default.removeItem(at: url)
    }
}
