struct RequestReader {
    private let socket: Socket
    private var buffer: [UInt8] = []

    init(_ socket: Socket) { self.socket = socket }

    mutating func next() -> HTTPRequest? {
        guard let head = take(through: "\r\n\r\n"), var request = HTTPRequest(head: head) else { return nil }
        let isChunked = request.headers["Transfer-Encoding"] == "chunked"
        guard let body = isChunked ? takeChunks() : take(request.headers["Content-Length"] ?? "0", radix: 10)
        else { return nil }
        request.body = body
        return request
    }

    private mutating func takeChunks() -> [UInt8]? {
        var body: [UInt8] = []
        while let size = take(through: "\r\n")?.dropLast(2) {
            guard let chunk = take(String(decoding: size, as: UTF8.self), radix: 16), take(through: "\r\n")?.count == 2
            else { return nil }
            if chunk.isEmpty { return body }
            body += chunk
        }
        return nil
    }

    private mutating func take(_ count: String, radix: Int) -> [UInt8]? {
        guard let count = Int(count, radix: radix), count >= 0 else { return nil }
        while buffer.count < count {
            guard fill() else { return nil }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    private mutating func take(through end: String) -> [UInt8]? {
        while true {
            if let range = buffer.firstRange(of: Array(end.utf8)) {
                defer { buffer.removeFirst(range.upperBound) }
                return Array(buffer[..<range.upperBound])
            }
            guard fill() else { return nil }
        }
    }

    private mutating func fill() -> Bool {
        guard let bytes = socket.receive() else { return false }
        buffer += bytes
        return true
    }
}
