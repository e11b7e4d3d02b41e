/// A response that a script sends. Create a response with a static member, and modify it with methods:
///
/// ```swift
/// server.on("/file", .reset, .generated(size: 100_000).cut(.close, after: 5_000), .generated(size: 100_000))
/// server.on("/slow", .text("Hello").delayed(by: .milliseconds(200)).dripping(1, every: .milliseconds(10)))
/// ```
public struct Response: Sendable {
    /// The ways to break a connection.
    public enum Cut: Sendable, Equatable {
        case reset  // RST
        case close  // FIN
        case stall  // no more bytes; the connection stays open until the client closes it or the server stops
    }

    /// The ways in which the client detects the end of the body.
    enum Framing: Sendable, Equatable {
        case contentLength
        case chunked
        case untilClose
    }

    public var status: Int
    /// Additional headers. The server itself sets `Content-Length`, `Transfer-Encoding`, `Connection`, `Cache-Control`,
    /// `X-Content-Type-Options` and the headers for ranges.
    public var headers: HTTPHeaders
    public var body: Body

    private(set) var framing = Framing.contentLength
    private(set) var delay: Duration = .zero
    private(set) var piece: (size: Int, interval: Duration) = (Body.pageSize, .zero)
    private(set) var endsPauses: @Sendable () -> Bool = { false }
    private(set) var cut: (kind: Cut, bodyBytes: Int?)?
    private(set) var entityTag: String?

    public init(status: Int, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension Response {
    /// Returns a response whose body is the status as a line of text.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> Response {
        Response(status: status, headers: headers, body: .bytes(Array("\(status)\n".utf8)))
    }

    public static func text(_ text: String) -> Response {
        Response(
            status: 200, headers: ["Content-Type": "text/plain; charset=utf-8"], body: .bytes(Array(text.utf8)))
    }

    public static func bytes(_ bytes: [UInt8]) -> Response {
        Response(status: 200, body: .bytes(bytes))
    }

    /// Returns a response with a generated body. Equal seeds produce equal bytes.
    public static func generated(size: Int, seed: UInt64 = 1) -> Response {
        Response(
            status: 200, headers: ["Content-Type": "application/octet-stream"],
            body: .generated(size: size, seed: seed))
    }

    /// - Parameters:
    ///   - location: The value of the `Location` header, an absolute or relative URL.
    ///   - status: 301, 302, 303, 307 or 308.
    /// - Returns: A redirect whose body is the status as a line of text.
    public static func redirect(to location: String, status: Int = 302) -> Response {
        .status(status, headers: ["Location": location])
    }

    /// Returns a response with the status 503. The argument is the value of the `Retry-After` header: a number of
    /// seconds, an HTTP date, or `nil` for no header.
    public static func unavailable(retryAfter: String? = nil) -> Response {
        var response = Response.status(503)
        response.headers["Retry-After"] = retryAfter
        return response
    }

    /// A response that consists of a RST only.
    public static var reset: Response { status(200).cut(.reset) }
    /// A response that consists of a FIN only.
    public static var close: Response { status(200).cut(.close) }
    /// A response that sends nothing and leaves the connection open.
    public static var silence: Response { status(200).cut(.stall) }
}

extension Response {
    /// Waits for `delay` before sending the first byte.
    public func delayed(by delay: Duration) -> Response {
        with { $0.delay = delay }
    }

    /// Sends the body in pieces with pauses between them.
    ///
    /// - Parameters:
    ///   - size: The number of bytes in a piece, at least 1. With ``chunked()``, this is also the size of a chunk.
    ///   - interval: The pause between two pieces.
    ///   - isEnough: A closure that is called before each pause, on the thread of the connection. When it returns
    ///     `true`, the server sends the rest without pauses.
    /// - Returns: The modified response.
    public func dripping(
        _ size: Int, every interval: Duration, until isEnough: @escaping @Sendable () -> Bool = { false }
    ) -> Response {
        with { ($0.piece, $0.endsPauses) = ((max(1, size), interval), isEnough) }
    }

    /// Breaks the connection before or during the response.
    ///
    /// The client's system receives all bytes that were sent earlier before it receives the RST or FIN.
    ///
    /// - Parameters:
    ///   - kind: The way in which the connection breaks.
    ///   - bodyBytes: The number of bytes of the body to send before the break, or `nil` to break before the head. The
    ///     last of these bytes may be inside a chunk.
    /// - Returns: The modified response.
    public func cut(_ kind: Cut, after bodyBytes: Int? = nil) -> Response {
        with { $0.cut = (kind, bodyBytes.map { max(0, $0) }) }
    }

    /// Sends the body with `Transfer-Encoding: chunked`.
    public func chunked() -> Response {
        with { $0.framing = .chunked }
    }

    /// Sends the body without its length. The body ends when the server closes the connection.
    public func untilClose() -> Response {
        with { $0.framing = .untilClose }
    }

    /// Sends an `ETag` with the status 200, and honours `Range` and `If-Range` with the statuses 206 and 416.
    ///
    /// - Parameter entityTag: The tag with its quotation marks, such as `"\"v1\""`.
    /// - Returns: The modified response.
    public func ranged(entityTag: String) -> Response {
        with { $0.entityTag = entityTag }
    }

    private func with(_ change: (inout Response) -> Void) -> Response {
        var response = self
        change(&response)
        return response
    }
}
