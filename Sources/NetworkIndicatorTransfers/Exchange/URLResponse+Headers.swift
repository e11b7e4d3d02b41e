import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLResponse {
    var isFinal: Bool { (self as? HTTPURLResponse).map { $0.statusCode >= 200 } ?? true }

    /// This method throws an error if an invalid `Content-Length` applies to the body (RFC 9112, 6.3).
    func bodyLength(for request: URLRequest) throws(URLError) -> Int64? {
        guard let http = self as? HTTPURLResponse else {
            return expectedContentLength < 0 ? nil : expectedContentLength
        }
        // Chunks override `Content-Length` (RFC 9112, 6.3).
        guard request.httpMethod != "HEAD", ![204, 304].contains(http.statusCode), !http.isChunked,
            let field = http.field("Content-Length")
        else { return nil }
        // A list that repeats a single length is treated as that length (RFC 9112, 6.3).
        let lengths = Set(http.list("Content-Length"))
        guard lengths.count == 1, let digits = lengths.first, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let length = Int64(digits)
        else {
            throw URLError(.cannotParseResponse, reason: "the response has the length “\(field)”", url: url)
        }
        return http.isCounted ? length : nil
    }

    var isVerifiable: Bool {
        guard let http = self as? HTTPURLResponse else { return true }
        return http.isCounted && (http.isChunked || http.field("Content-Length") != nil)
    }
}

extension HTTPURLResponse {
    /// White space around the value isn't part of it (RFC 9110, 5.5).
    func field(_ name: String) -> String? { value(forHTTPHeaderField: name)?.trimmed }

    /// The elements of a list, which the server can send in several lines (RFC 9110, 5.3).
    func list(_ name: String) -> [String] {
        (field(name)?.lowercased() ?? "").split(separator: ",").map(\.trimmed)
    }

    /// Whether the body has the bytes that the server has counted.
    fileprivate var isCounted: Bool { isIdentity || self is EncodedResponse }

    var isIdentity: Bool { list("Content-Encoding").allSatisfy { ["", "identity"].contains($0) } }

    /// Other transfer codings, such as `identity`, don't mark the end of the body.
    fileprivate var isChunked: Bool { list("Transfer-Encoding").last == "chunked" }
}

extension StringProtocol {
    /// Most values have no white space at their ends. Foundation's method would convert each of them.
    fileprivate var trimmed: String {
        let hasSpace = first?.isWhitespace == true || last?.isWhitespace == true
        return hasSpace ? trimmingCharacters(in: .whitespaces) : String(self)
    }
}

/// A response whose body isn't decoded.
final class EncodedResponse: HTTPURLResponse, @unchecked Sendable {}
