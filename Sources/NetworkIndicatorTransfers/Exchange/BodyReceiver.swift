import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Stores the body of a response. Apart from a write that is still in progress when an attempt ends, a receiver's
/// methods are never called concurrently. Any thread may read its properties at any time.
protocol BodyReceiver: AnyObject, Sendable {
    /// Changes the request of an attempt. Before the first attempt, the method can block.
    func prepare(_ request: URLRequest) throws -> URLRequest

    /// The exchange can call this method repeatedly, for example for the response to a second request.
    ///
    /// - Parameter request: The attempt's request, before the changes by ``prepare(_:)`` and redirects.
    func begin(_ response: URLResponse, to request: URLRequest) throws -> BodyDisposition

    func write(_ data: Data) throws

    /// The attempt has succeeded, and no data follows.
    func finish(_ response: URLResponse) throws

    /// `nil` unless a response to the latest request of the attempt has been accepted.
    var progress: TransferProgress? { get }

    /// The number of received bytes that the next attempt doesn't request again.
    var resumableLength: Int64 { get }
}

enum BodyDisposition {
    case accepted(announcing: AttemptEvent? = nil)
    case ignored
    /// The response doesn't continue the received part, so the exchange requests the whole body.
    case refused
}

final class DataReceiver: BodyReceiver {
    private struct State {
        var data = Data()
        var total: Int64?

        var progress: TransferProgress { TransferProgress(completedBytes: Int64(data.count), totalBytes: total) }
    }

    private let state = Lock<State?>(nil)
    private let limit: Int64?

    init(limit: Int64? = nil) { self.limit = limit }

    private func check(_ length: Int64) throws(URLError) {
        guard let limit, length > limit else { return }
        throw URLError(.dataLengthExceedsMaximum, reason: "the response has more than \(limit) bytes", url: nil)
    }

    func prepare(_ request: URLRequest) -> URLRequest {
        state.withLock { $0 = nil }
        return request
    }

    func begin(_ response: URLResponse, to request: URLRequest) throws -> BodyDisposition {
        let new = State(total: try response.bodyLength(for: request))
        try check(new.total ?? 0)
        state.withLock { $0 = new }
        return .accepted()
    }

    func write(_ data: Data) throws {
        state.withLock { $0?.data.append(data) }
        try check(progress?.completedBytes ?? 0)
    }

    func finish(_ response: URLResponse) {}

    var progress: TransferProgress? { state.withLock(\.?.progress) }

    var resumableLength: Int64 { 0 }

    var data: Data { state.withLock(\.?.data) ?? Data() }
}
