import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Receives the responses of a call's attempts. Only one thread at a time calls the methods.
protocol BodyReceiver: AnyObject, Sendable {
    /// Prepares for the first response to a request, or for the next response.
    ///
    /// - Returns: The request to send, which may be limited to the missing part of the body.
    func prepare(_ request: URLRequest) -> URLRequest

    /// Receives the head of a response to a request that was prepared. If the response asks for credentials, this is
    /// called again for the next response.
    ///
    /// - Parameter request: The request before it was prepared.
    func begin(_ response: URLResponse, to request: URLRequest) throws -> BodyDisposition
    func write(_ data: Data) throws

    /// The number of bytes received so far, and the announced length of the body, if any.
    var length: (received: Int64, total: Int64?) { get }
}

extension BodyReceiver {
    var progress: TransferProgress {
        let (received, total) = length
        return TransferProgress(completedBytes: received, totalBytes: total)
    }

    /// Whether the body has the announced length, if any.
    var isComplete: Bool {
        let (received, total) = length
        return total == nil || total == received
    }
}

enum BodyDisposition {
    case accepted
    /// The body isn't needed. The exchange ends with the response.
    case ignored
    /// The response doesn't continue the received part. Prepare the request again, for the whole body.
    case refused
}

/// Collects a body in memory.
final class DataReceiver: BodyReceiver {
    private struct State {
        var data = Data()
        var total: Int64?
    }

    private let state = Lock(State())

    /// The largest number of bytes to reserve before they arrive, because a server can announce any length.
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

    /// The received body.
    var data: Data { state.withLock(\.data) }
}

extension URLResponse {
    /// Returns the length of the body, or `nil` if the length is unknown or counts compressed bytes.
    ///
    /// - Throws: An error if the announced length isn't one decimal number (RFC 9112, 6.3). If a response has several
    ///   lengths, URLSession on Linux may apply any of them.
    func bodyLength(for request: URLRequest) throws(URLError) -> Int64? {
        guard let http = self as? HTTPURLResponse else {
            return expectedContentLength < 0 ? nil : expectedContentLength
        }
        // A chunked body ends with its last chunk, regardless of Content-Length (RFC 9112, 6.3).
        guard request.httpMethod != "HEAD", ![204, 304].contains(http.statusCode), !http.hasTransferEncoding,
            let field = http.value(forHTTPHeaderField: "Content-Length")
        else { return nil }
        // The header may repeat the same length.
        let lengths = Set(field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        guard lengths.count == 1, let digits = lengths.first, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let length = Int64(digits)
        else {
            throw URLError(.cannotParseResponse, reason: "the response has the length “\(field)”", url: url)
        }
        return http.isIdentity ? length : nil
    }

    /// Whether a truncated body can be detected: the body isn't compressed, and has a length or chunks.
    var isVerifiable: Bool {
        guard let http = self as? HTTPURLResponse else { return true }
        return http.isIdentity
            && (http.hasTransferEncoding || http.value(forHTTPHeaderField: "Content-Length") != nil)
    }
}

extension HTTPURLResponse {
    var isIdentity: Bool {
        value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity" == "identity"
    }

    fileprivate var hasTransferEncoding: Bool { value(forHTTPHeaderField: "Transfer-Encoding") != nil }
}
