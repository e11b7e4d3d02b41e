import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Receives an answer. The methods are called on the delegate queue, one at a time.
protocol BodyReceiver: AnyObject, Sendable {
    /// Receives the head of the answer. If an answer asks for credentials, this is called again for the next one.
    ///
    /// - Returns: Whether the body is needed. If not, the exchange ends with the response.
    func begin(_ response: URLResponse) throws -> Bool
    func write(_ data: Data) throws
    /// Completes the body.
    func end() throws
    /// The progress of the body.
    var progress: TransferProgress { get }
}

/// Collects a body in memory.
final class DataReceiver: BodyReceiver {
    private struct State {
        var data = Data()
        var total: Int64?
    }

    private let state = Lock(State())
    private let request: URLRequest
    private let onProgress: (@Sendable (TransferProgress) -> Void)?

    /// A server can announce any length, so no more is reserved in advance.
    private static let largestReservation: Int64 = 4_000_000

    init(for request: URLRequest, onProgress: (@Sendable (TransferProgress) -> Void)?) {
        self.request = request
        self.onProgress = onProgress
    }

    func begin(_ response: URLResponse) -> Bool {
        var new = State(total: response.bodyLength(for: request))
        new.data.reserveCapacity(Int(min(new.total ?? 0, Self.largestReservation)))
        state.withLock { swap(&$0, &new) }
        return true
    }

    func write(_ data: Data) {
        state.withLock { $0.data.append(data) }
        onProgress?(progress)
    }

    func end() throws {
        let (count, total) = state.withLock { (Int64($0.data.count), $0.total) }
        try progress.check(count, total, request)
    }

    var progress: TransferProgress {
        state.withLock { TransferProgress(completedBytes: Int64($0.data.count), totalBytes: $0.total) }
    }

    /// Takes the received data.
    func take() -> Data {
        state.withLock { state in
            defer { state.data = Data() }
            return state.data
        }
    }
}

extension TransferProgress {
    /// Checks the length of a body that has ended. The total is `nil` if it is unknown.
    func check(_ length: Int64, _ total: Int64?, _ request: URLRequest?) throws(URLError) {
        if let total, length != total {
            throw URLError(.networkConnectionLost).described(received: self, timeout: 0, url: request?.url)
        }
    }
}

extension URLResponse {
    /// The length of the body, unless it is unknown or counts compressed bytes.
    func bodyLength(for request: URLRequest) -> Int64? {
        guard expectedContentLength >= 0, request.httpMethod != "HEAD" else { return nil }
        guard let http = self as? HTTPURLResponse else { return expectedContentLength }
        // A chunked body ends with its last chunk, whatever Content-Length says (RFC 9112, 6.3).
        guard http.isIdentity, ![204, 304].contains(http.statusCode),
            http.value(forHTTPHeaderField: "Transfer-Encoding") == nil
        else { return nil }
        return expectedContentLength
    }
}

extension HTTPURLResponse {
    var isIdentity: Bool {
        value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity" == "identity"
    }
}
