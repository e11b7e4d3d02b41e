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

extension URLResponse {
    var mayAskForCredentials: Bool { (self as? HTTPURLResponse).map { [401, 407].contains($0.statusCode) } ?? false }

    var isFinal: Bool { (self as? HTTPURLResponse).map { $0.statusCode >= 200 } ?? true }

    /// This method throws an error if an invalid `Content-Length` applies to the body (RFC 9112, 6.3). URLSession on
    /// Linux accepts a list of different lengths, and applies one of them.
    func bodyLength(for request: URLRequest) throws(URLError) -> Int64? {
        guard let http = self as? HTTPURLResponse else {
            return expectedContentLength < 0 ? nil : expectedContentLength
        }
        // Chunks override `Content-Length` (RFC 9112, 6.3).
        guard request.httpMethod != "HEAD", ![204, 304].contains(http.statusCode), !http.isChunked,
            let field = http.value(forHTTPHeaderField: "Content-Length")
        else { return nil }
        // A list that repeats a single length is treated as that length (RFC 9112, 6.3).
        let lengths = Set(field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        guard lengths.count == 1, let digits = lengths.first, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let length = Int64(digits)
        else {
            throw URLError(.cannotParseResponse, reason: "the response has the length “\(field)”", url: url)
        }
        return http.isIdentity ? length : nil
    }

    var isVerifiable: Bool {
        guard let http = self as? HTTPURLResponse else { return true }
        return http.isIdentity
            && (http.isChunked || http.value(forHTTPHeaderField: "Content-Length") != nil)
    }
}

extension HTTPURLResponse {
    var isIdentity: Bool {
        value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity" == "identity"
    }

    /// Other transfer codings, such as `identity`, don't mark the end of the body.
    fileprivate var isChunked: Bool {
        let last = value(forHTTPHeaderField: "Transfer-Encoding")?.split(separator: ",").last
        return last?.trimmingCharacters(in: .whitespaces).lowercased() == "chunked"
    }
}
