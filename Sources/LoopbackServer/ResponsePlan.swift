/// The steps of a connection for one request: an answer as bytes and pauses.
///
/// A pure iterator. It generates bytes when they are needed, a piece at a time.
struct ResponsePlan: IteratorProtocol {
    enum Step: Equatable {
        case send([UInt8])
        case wait(Duration)
        case cut(Answer.Cut)
        /// The answer is complete. Close the connection with a FIN.
        case close
    }

    private enum Phase {
        case delay, head, body, pause, bodyEnd, ending, done
    }

    private let answer: Answer
    private let framing: Answer.Framing
    private let head: [UInt8]
    private let sendsBody: Bool
    private let closes: Bool
    private let page: [UInt8]
    private var rest: Range<Int>
    private var bodyBytesBeforeCut: Int?
    private var phase = Phase.delay

    init(_ answer: Answer, for request: HTTPRequest) {
        self.answer = answer
        let selection = answer.selection(for: request)
        let hasBody = !(100..<200).contains(selection.status) && selection.status != 204 && selection.status != 304
        framing = answer.framing == .chunked && !request.isVersion1_1 ? .untilClose : answer.framing
        closes = answer.closesConnection || !request.keepsAlive || (framing == .untilClose && hasBody)

        var headers = selection.headers
        if hasBody {
            switch framing {
            case .contentLength: headers["Content-Length"] = String(selection.range.count)
            case .chunked: headers["Transfer-Encoding"] = "chunked"
            case .untilClose: break
            }
        }
        if closes { headers["Connection"] = "close" }
        var text = "HTTP/1.1 \(selection.status) \(Self.reason(selection.status))\r\n"
        for field in headers.fields { text += "\(field.name): \(field.value)\r\n" }
        head = answer.isRaw ? [] : Array((text + "\r\n").utf8)

        sendsBody = hasBody && request.method != "HEAD"
        rest = sendsBody ? selection.range : 0..<0
        bodyBytesBeforeCut = answer.cut?.bodyBytes
        if case .generated(_, let seed) = answer.body, !rest.isEmpty { page = Body.page(seed: seed) } else { page = [] }
    }

    mutating func next() -> Step? {
        while true {
            switch phase {
            case .delay:
                phase = answer.cut != nil && bodyBytesBeforeCut == nil ? .ending : .head
                if answer.delay > .zero { return .wait(answer.delay) }
            case .head:
                phase = rest.isEmpty || bodyBytesBeforeCut == 0 ? .bodyEnd : .body
                return .send(head)
            case .body:
                return .send(nextPiece())
            case .pause:
                phase = .body
                return .wait(answer.piece.interval)
            case .bodyEnd:
                phase = .ending
                if framing == .chunked, sendsBody, answer.cut == nil { return .send(Array("0\r\n\r\n".utf8)) }
            case .ending:
                phase = .done
                if let cut = answer.cut { return .cut(cut.kind) }
                if closes { return .close }
            case .done:
                return nil
            }
        }
    }

    private mutating func nextPiece() -> [UInt8] {
        let size = min(answer.piece.size, rest.count)
        let allowed = min(size, bodyBytesBeforeCut ?? size)
        let range = rest.lowerBound..<(rest.lowerBound + allowed)
        rest = range.upperBound..<rest.upperBound
        bodyBytesBeforeCut = bodyBytesBeforeCut.map { $0 - allowed }
        if allowed < size || bodyBytesBeforeCut == 0 || rest.isEmpty {
            phase = .bodyEnd
        } else if answer.piece.interval > .zero {
            phase = .pause
        }
        let bytes: [UInt8] =
            switch answer.body {
            case .bytes: answer.body.bytes(in: range)
            case .generated: Body.generate(range, page: page)
            }
        guard framing == .chunked else { return bytes }
        let chunkHead = Array((String(size, radix: 16) + "\r\n").utf8)
        return chunkHead + bytes + (allowed == size ? [0x0D, 0x0A] : [])
    }

    private static func reason(_ status: Int) -> String {
        reasons[status] ?? "Status"
    }

    private static let reasons = [
        100: "Continue", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        408: "Request Timeout", 410: "Gone", 413: "Content Too Large", 416: "Range Not Satisfiable",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported",
    ]
}
