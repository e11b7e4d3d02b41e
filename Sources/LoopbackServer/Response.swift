/// Examples:
///
/// ```swift
/// server.on("/file", .reset, .generated(size: 100_000).cut(.close, after: 5_000), .generated(size: 100_000))
/// server.on("/slow", .text("Hello").delayed(by: .milliseconds(200)).dripping(1, every: .milliseconds(10)))
/// ```
public struct Response: Sendable {
    public enum Cut: Sendable, Equatable {
        case reset  // RST
        case close  // FIN
        case stall  // neither
    }

    enum Framing: Sendable, Equatable {
        case contentLength
        case chunked
        case untilClose
    }

    public var status: Int
    public var headers: HTTPHeaders
    public var body: Body

    private(set) var framing = Framing.contentLength
    private(set) var delay: Duration = .zero
    private(set) var piece: (size: Int, interval: Duration) = (Body.pageSize, .zero)
    private(set) var endsPauses: @Sendable () -> Bool = { false }
    private(set) var cut: (kind: Cut, bodyBytes: Int?)?
    private(set) var entityTag: String?
    private(set) var prefix: (bytes: [UInt8], count: Int, interval: Duration)?
    private(set) var tunnel: (reply: [UInt8], port: UInt16?)?

    public init(status: Int, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension Response {
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

    public static func generated(size: Int, seed: UInt64 = 1) -> Response {
        Response(
            status: 200, headers: ["Content-Type": "application/octet-stream"],
            body: .generated(size: size, seed: seed))
    }

    public static func redirect(to location: String, status: Int = 302) -> Response {
        .status(status, headers: ["Location": location])
    }

    public static func unavailable(retryAfter: String? = nil) -> Response {
        var response = Response.status(503)
        response.headers["Retry-After"] = retryAfter
        return response
    }

    public static var reset: Response { status(200).cut(.reset) }
    public static var close: Response { status(200).cut(.close) }
    public static var silence: Response { status(200).cut(.stall) }
}

extension Response {
    public func delayed(by delay: Duration) -> Response {
        with { $0.delay = delay }
    }

    /// The server sends the body in pieces of at most `size` bytes, and pauses for `interval` between them. With
    /// ``chunked()``, each piece is one chunk. After `isEnough` has returned `true`, the server no longer pauses.
    public func dripping(
        _ size: Int, every interval: Duration, until isEnough: @escaping @Sendable () -> Bool = { false }
    ) -> Response {
        with { ($0.piece, $0.endsPauses) = ((max(1, size), interval), isEnough) }
    }

    /// If `bodyBytes` is `nil`, the server sends neither the head nor the body. Before a reset, the server waits up to
    /// 2 s for the client's system to acknowledge all bytes.
    public func cut(_ kind: Cut, after bodyBytes: Int? = nil) -> Response {
        with { $0.cut = (kind, bodyBytes.map { max(0, $0) }) }
    }

    public func chunked() -> Response {
        with { $0.framing = .chunked }
    }

    public func untilClose() -> Response {
        with { $0.framing = .untilClose }
    }

    public func ranged(entityTag: String) -> Response {
        with { $0.entityTag = entityTag }
    }

    /// The server sends the text `count` times before the head, for example 1xx responses or the rest of an earlier
    /// body.
    public func preceded(by text: String, count: Int = 1, every interval: Duration = .zero) -> Response {
        with { $0.prefix = (Array(text.utf8), count, interval) }
    }

    /// A proxy's response to a `CONNECT` request, whose path is `host:port`. The server sends `reply`, and then
    /// forwards bytes between the client and a local port. If `port` is `nil`, the server closes the connection
    /// instead.
    public static func tunnel(_ reply: String, to port: UInt16?) -> Response {
        Response(status: 200).with { $0.tunnel = (Array(reply.utf8), port) }
    }

    /// The server sends the text instead of a response, and then closes the connection.
    public static func raw(_ text: String) -> Response { tunnel(text, to: nil) }

    private func with(_ change: (inout Response) -> Void) -> Response {
        var response = self
        change(&response)
        return response
    }
}
