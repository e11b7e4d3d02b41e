import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Receives the responses of the attempts of a call. The methods are called by one thread at a time.
protocol BodyReceiver: AnyObject, Sendable {
    /// Prepares for the first response to a request, or for the next one.
    ///
    /// - Returns: The request for what is missing.
    func prepare(_ request: URLRequest) -> URLRequest

    /// Receives the head of the response. If a response asks for credentials, this is called again for the next one.
    func begin(_ response: URLResponse) throws -> BodyDisposition
    func write(_ data: Data) throws

    /// The length of the body until now, and the announced length, if any.
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
    /// The response doesn't continue what was received. Prepare the request again, for everything.
    case refused
}

/// Collects a body in memory.
final class DataReceiver: BodyReceiver {
    private struct State {
        var data = Data()
        var total: Int64?
    }

    private let state = Lock(State())
    private let request: URLRequest

    /// A server can announce any length, so no more than this is reserved in advance.
    private static let largestReservation: Int64 = 4_000_000

    init(for request: URLRequest) { self.request = request }

    func prepare(_ request: URLRequest) -> URLRequest { request }

    func begin(_ response: URLResponse) throws -> BodyDisposition {
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
    /// The length of the body, unless it is unknown or counts compressed bytes.
    ///
    /// - Throws: An error if the announced length isn't one decimal number (RFC 9112, 6.3). URLSession on Linux then
    ///   reads until any of the lengths.
    func bodyLength(for request: URLRequest) throws(URLError) -> Int64? {
        guard let http = self as? HTTPURLResponse else {
            return expectedContentLength < 0 ? nil : expectedContentLength
        }
        // A chunked body ends with its last chunk, whatever Content-Length says (RFC 9112, 6.3).
        guard request.httpMethod != "HEAD", ![204, 304].contains(http.statusCode), !http.hasTransferEncoding,
            let field = http.value(forHTTPHeaderField: "Content-Length")
        else { return nil }
        // Equal lengths may be repeated.
        let lengths = Set(field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        guard lengths.count == 1, let digits = lengths.first, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let length = Int64(digits)
        else {
            throw URLError(.cannotParseResponse, reason: "the response has the length “\(field)”", url: url)
        }
        return http.isIdentity ? length : nil
    }

    /// Whether a body that ends early is noticed: it isn't compressed, and has a length or chunks.
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
