struct Message {
    let head: [UInt8]
    let range: Range<Int>
    let isChunked: Bool
    let closes: Bool

    init(_ response: Response, to request: HTTPRequest) {
        var (status, range, headers) = (response.status, 0..<response.body.count, response.headers)
        if let entityTag = response.entityTag, status == 200 {
            headers["ETag"] = entityTag
            headers["Accept-Ranges"] = "bytes"
            if request.headers["If-Range"] ?? entityTag == entityTag,
                let asked = Self.range(request.headers["Range"], of: range.count)
            {
                status = asked.isEmpty ? 416 : 206
                headers["Content-Range"] =
                    asked.isEmpty ? "bytes */\(range.count)" : "bytes \(asked.lowerBound)-\(asked.last!)/\(range.count)"
                range = asked
            }
        }
        let hasBody = status != 204 && status != 304
        isChunked = hasBody && response.framing == .chunked && request.method != "HEAD"
        closes = response.framing == .untilClose || request.headers["Connection"]?.lowercased() == "close"
        if isChunked {
            headers["Transfer-Encoding"] = "chunked"
        } else if hasBody, response.framing == .contentLength {
            headers["Content-Length"] = String(range.count)
        }
        if closes { headers["Connection"] = "close" }
        // `nosniff` prevents CFNetwork from waiting for 512 bytes of a body to guess its type.
        headers["X-Content-Type-Options"] = "nosniff"
        headers["Cache-Control"] = "no-store"
        // The response to a HEAD request describes a body that isn't sent.
        self.range = hasBody && request.method != "HEAD" ? range : 0..<0
        let lines = ["HTTP/1.1 \(status) "] + headers.fields.map { "\($0.name): \($0.value)" }
        head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func range(_ header: String?, of count: Int) -> Range<Int>? {
        let numbers = header?.trimmingPrefix("bytes=").split(separator: "-").map { Int($0) } ?? []
        guard let first = numbers.first ?? nil, header?.hasPrefix("bytes=\(first)-") == true else { return nil }
        let last = min(numbers.dropFirst().first.flatMap(\.self) ?? count - 1, count - 1)
        return first <= last ? first..<last + 1 : 0..<0
    }
}
