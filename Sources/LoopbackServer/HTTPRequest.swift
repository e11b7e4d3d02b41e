import Foundation

/// A request that the server has received completely.
public struct HTTPRequest: Sendable {
    public let method: String
    /// The target as the client sent it, such as `/path?query`.
    public let target: String
    public let headers: HTTPHeaders
    public internal(set) var body: [UInt8] = []
    /// The number of requests for this path so far, including this one.
    public internal(set) var hit = 1

    /// The target without the query. The path stays percent-encoded as the client sent it.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// Parses a request line and header lines. Returns `nil` if they are malformed, or if the version isn't HTTP/1.1.
    init?(head: [UInt8]) {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").filter { !$0.isEmpty }
        let parts = lines.first?.components(separatedBy: " ") ?? []
        guard parts.count == 3, parts[2] == "HTTP/1.1" else { return nil }
        (method, target) = (parts[0], parts[1])
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers[String(line[..<colon])] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        self.headers = headers
    }
}
