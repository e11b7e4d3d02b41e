/// A request as it came in, whole.
package struct HTTPRequest: Sendable, Equatable {
    package var method: String
    /// As the client wrote it: `/path?query`.
    package var target: String
    package var headers: HTTPHeaders
    package var body: [UInt8] = []
    /// `false` for HTTP/1.0.
    var isVersion1_1 = true

    /// How often this path has been asked for, this time included: 1 for the first request.
    package internal(set) var hit = 1
    /// Which connection it came over, counted from 1 in the order they were accepted.
    package internal(set) var connection = 0

    /// The target without its query, as it was written (percent-encoded).
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// What follows the first `?` of the target.
    package var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// Whether the client takes a further answer over the same connection.
    var keepsAlive: Bool {
        isVersion1_1 && !headers.list("Connection").contains("close")
    }
}

/// Why a request cannot be understood.
package struct HTTPRequestError: Error, Equatable, CustomStringConvertible {
    /// The status to answer with: 400, 413, 431, 501 or 505.
    package let status: Int
    package let description: String
}
