/// A complete request.
package struct HTTPRequest: Sendable, Equatable {
    package var method: String
    /// As the client sent it: `/path?query`.
    package var target: String
    package var headers: HTTPHeaders
    package var body: [UInt8] = []
    /// `false` for HTTP/1.0.
    var isVersion1_1 = true

    /// The number of requests for this path so far, including this one.
    package internal(set) var hit = 1
    /// The number of its connection, counted from 1 in the order of acceptance.
    package internal(set) var connection = 0

    /// The target without its query, percent-encoded as it was sent.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// What follows the first `?` of the target.
    package var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// Whether the client keeps the connection for further requests.
    var keepsAlive: Bool {
        isVersion1_1 && !headers.list("Connection").contains("close")
    }
}

/// Why the server rejects a request.
package struct HTTPRequestError: Error, Equatable, CustomStringConvertible {
    /// The status to answer with: 400, 413, 431, 501 or 505.
    package let status: Int
    package let description: String
}
