import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A receiver's methods are never called concurrently, but any thread may read `length` at any time.
protocol BodyReceiver: AnyObject, Sendable {
    func prepare(_ request: URLRequest) throws -> URLRequest

    /// The exchange can call this method repeatedly, for example for the response after an authentication challenge.
    ///
    /// - Parameter request: The attempt's request, before the changes by ``prepare(_:)`` and redirects.
    func begin(_ response: URLResponse, to request: URLRequest) throws -> BodyDisposition
    func write(_ data: Data) throws

    var length: (received: Int64, total: Int64?) { get }

    /// The number of received bytes that the next attempt doesn't request again.
    var resumableLength: Int64 { get }
}

extension BodyReceiver {
    var resumableLength: Int64 { 0 }

    var progress: TransferProgress {
        let (received, total) = length
        return TransferProgress(completedBytes: received, totalBytes: total)
    }

    var isComplete: Bool {
        let (received, total) = length
        return total == nil || total == received
    }
}

enum BodyDisposition {
    case accepted
    case ignored
    /// The response doesn't continue the received part, so the exchange requests the whole body.
    case refused
}

final class DataReceiver: BodyReceiver {
    private struct State {
        var data = Data()
        var total: Int64?
    }

    private let state = Lock(State())

    /// Limits the reserved memory, because a server can announce any length.
    private static let largestReservation: Int64 = 4_000_000

    func prepare(_ request: URLRequest) -> URLRequest { request }

    func begin(_ response: URLResponse, to request: URLRequest) throws -> BodyDisposition {
        var new = State(total: try response.bodyLength(for: request))
        new.data.reserveCapacity(Int(min(new.total ?? 0, Self.largestReservation)))
        state.withLock { swap(&$0, &new) }
        return .accepted
    }

    func write(_ data: Data) { state.withLock { $0.data.append(data) } }

    var length: (received: Int64, total: Int64?) { state.withLock { (Int64($0.data.count), $0.total) } }

    var data: Data { state.withLock(\.data) }
}
