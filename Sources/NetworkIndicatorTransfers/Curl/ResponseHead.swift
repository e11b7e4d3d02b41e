#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// The status line and the headers of a response, in the lines that libcurl delivers.
struct ResponseHead {
    /// By their names in lower case.
    private var fields: [String: (name: String, value: String)] = [:]
    private var lastKey: String?
    private var length = 0

    static let maximumLength = 1_000_000

    /// Headers that aren't lists. Some servers and proxies send one of them twice.
    private static let singletons: Set = [
        "age", "content-disposition", "content-length", "content-location", "content-range", "content-type", "date",
        "etag", "expires", "last-modified", "location", "retry-after",
    ]

    /// - Returns: Whether the head is complete.
    mutating func append(_ line: UnsafeRawBufferPointer) throws(URLError) -> Bool {
        length += line.count
        if length > Self.maximumLength { throw fail("the response has too many headers") }
        // An empty line is the end, for libcurl even if it begins with CR only.
        guard let first = line.first, first != 10, first != 13 else { return true }
        if lastKey == nil, line.starts(with: "HTTP/".utf8) { return false }
        if Self.isSpace(first) {
            // libcurl ignores these lines, which would change how it reads the body (RFC 9112, 2.2 and 5.2).
            guard let lastKey, !["transfer-encoding", "content-encoding"].contains(lastKey) else {
                throw fail("the response has a line that begins with white space")
            }
            fields[lastKey]?.value += " " + Self.text(line[...], lastKey)
        } else if let colon = line.firstIndex(of: 58) {
            // libcurl doesn't recognize such a header (RFC 9112, 5.1).
            if colon > 0, Self.isSpace(line[colon - 1]) {
                throw fail("the response has a header with white space before its colon")
            }
            let name = Self.text(line[..<colon], "")
            try add(name, Self.text(line[(colon + 1)...], name))
        }
        return false
    }

    private func fail(_ reason: String) -> URLError { URLError(.cannotParseResponse, reason: reason, url: nil) }

    private mutating func add(_ name: String, _ value: String) throws(URLError) {
        if name.isEmpty { return }
        let key = name.lowercased()
        lastKey = key
        guard let earlier = fields[key]?.value else { return fields[key] = (name, value) }
        if Self.singletons.contains(key), earlier == value { return }
        if key == "location" { throw fail("the response has several locations") }
        fields[key]?.value += ", \(value)"
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }

    /// Removes white space and line breaks at both ends. In Latin-1, which some servers send, all bytes are valid. In a
    /// URL, the bytes themselves count.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>, _ name: String) -> String {
        let start = bytes.drop(while: isSpace)
        let text = start[..<(start.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start.startIndex)]
        if let text = String(validating: text, as: UTF8.self) { return text }
        let isURL = name.lowercased() == "location"
        return text.map { isURL && $0 > 127 ? String(format: "%%%02X", $0) : String(Unicode.Scalar($0)) }.joined()
    }

    func response(to request: URLRequest, status: Int, isDecoded: Bool = true) -> HTTPURLResponse? {
        guard let url = request.url else { return nil }
        let fields = Dictionary(uniqueKeysWithValues: fields.values.lazy.map { ($0.name, $0.value) })
        return isDecoded
            ? HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
            : EncodedResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
    }
}
#endif
