/// Parses requests, independently of sockets.
///
/// The parser accepts bytes in portions of any size. It produces requests, an error, or `nil` if it needs more bytes.
/// Memory and time are proportional to the number of bytes, within the limits.
///
/// ```swift
/// var parser = HTTPRequestParser()
/// parser.append(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
/// let request = try parser.next()   // nil would mean that more bytes are needed
/// ```
package struct HTTPRequestParser {
    /// The largest sizes of a request, in bytes.
    package struct Limits: Sendable {
        /// The request line with all headers. Also each line, and the trailer, of a chunked body. Longer ones get 431.
        package var head = 64 * 1024
        /// The body. A longer one gets 413.
        package var body = 64 * 1024 * 1024

        package init() {}
    }

    private enum Phase {
        case head
        case body(HTTPRequest, count: Int)
        case chunkSize(HTTPRequest)
        case chunk(HTTPRequest, count: Int)
        case trailer(HTTPRequest, count: Int)
        case failed(HTTPRequestError)
    }

    private let limits: Limits
    private var phase = Phase.head
    private var buffer: [UInt8] = []
    private var start = 0  // the bytes before this index are parsed
    private var scanned = 0  // the search for the next line end continues here

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// The number of bytes that have not been parsed.
    package var bufferedByteCount: Int { buffer.count - start }

    /// Whether the client waits for a `100 Continue` before it sends the body.
    package private(set) var expectsContinue = false

    package mutating func append(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            scanned -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Takes the next request.
    ///
    /// - Returns: The request, or `nil` if more bytes are needed.
    /// - Throws: ``HTTPRequestError``. Each later call throws it again, because the start of the next request is
    ///   unknown.
    package mutating func next() throws(HTTPRequestError) -> HTTPRequest? {
        do {
            while true {
                if let request = try step() { return request }
            }
        } catch {
            guard let error = error.failure else { return nil }
            phase = .failed(error)
            throw error
        }
    }

    /// Why parsing stops.
    enum Stop: Error {
        case needsMore
        case failed(HTTPRequestError)

        static func failed(_ status: Int, _ description: String) -> Stop {
            .failed(HTTPRequestError(status: status, description: description))
        }

        var failure: HTTPRequestError? {
            if case .failed(let error) = self { error } else { nil }
        }
    }

    private mutating func step() throws(Stop) -> HTTPRequest? {
        switch phase {
        case .failed(let error):
            throw .failed(error)
        case .head:
            let request = try takeHead()
            try beginBody(of: request)
        case .body(var request, let count):
            request.body = try take(count)
            return finish(request)
        case .chunkSize(let request):
            let size = try Self.chunkSize(try takeLine())
            if size == 0 {
                phase = .trailer(request, count: 0)
            } else {
                guard size <= limits.body - request.body.count else { throw Self.bodyTooLarge(limits.body) }
                phase = .chunk(request, count: size)
            }
        case .chunk(var request, let count):
            let bytes = try take(count + 2)
            guard bytes.suffix(2) == [0x0D, 0x0A] else { throw .failed(400, "a chunk does not end where it said") }
            phase = .head  // makes `request` the only owner of the body, so that it grows in place
            request.body.append(contentsOf: bytes.dropLast(2))
            phase = .chunkSize(request)
        case .trailer(let request, let count):
            let line = try takeLine()
            if line.isEmpty { return finish(request) }
            guard count + line.count <= limits.head else { throw Self.headTooLarge(limits.head) }
            phase = .trailer(request, count: count + line.count + 2)
        }
        return nil
    }

    private mutating func finish(_ request: HTTPRequest) -> HTTPRequest {
        phase = .head
        expectsContinue = false
        return request
    }

    // MARK: The head

    /// Takes the head when it is complete. Until then it only searches for its end.
    private mutating func takeHead() throws(Stop) -> HTTPRequest {
        // Empty lines before a request line are allowed (RFC 9112, 2.2).
        while buffer[start...].starts(with: [0x0D, 0x0A]) { start += 2 }
        scanned = max(scanned, start)
        while let end = buffer[scanned...].firstIndex(of: 0x0A) {
            try checkHead(upTo: end + 1)
            guard end > start, buffer[end - 1] == 0x0D else { throw .failed(400, "a line does not end in CR LF") }
            scanned = end + 1
            if end >= start + 3, buffer[end - 2] == 0x0A {
                defer { start = end + 1 }
                return try HTTPRequest(head: buffer[start..<(end - 3)])
            }
        }
        scanned = buffer.count
        try checkHead(upTo: scanned)
        throw .needsMore
    }

    private func checkHead(upTo end: Int) throws(Stop) {
        if end - start > limits.head { throw Self.headTooLarge(limits.head) }
    }

    private mutating func beginBody(of request: HTTPRequest) throws(Stop) {
        let lengths = Set(request.headers.values("Content-Length"))
        let codings = request.headers.list("Transfer-Encoding")
        expectsContinue = request.headers.list("Expect").contains("100-continue")
        if !codings.isEmpty {
            guard lengths.isEmpty else { throw .failed(400, "both Content-Length and Transfer-Encoding") }
            guard codings == ["chunked"] else { throw .failed(501, "an unknown transfer coding") }
            phase = .chunkSize(request)
        } else if let length = lengths.first {
            guard lengths.count == 1, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !length.isEmpty else {
                throw .failed(400, "a Content-Length that is not one number")
            }
            guard let count = Int(length), count <= limits.body else { throw Self.bodyTooLarge(limits.body) }
            phase = .body(request, count: count)
        } else {
            phase = .body(request, count: 0)
        }
    }

    // MARK: Pieces

    private mutating func take(_ count: Int) throws(Stop) -> [UInt8] {
        guard bufferedByteCount >= count else { throw .needsMore }
        defer { start += count }
        return Array(buffer[start..<(start + count)])
    }

    /// A line of a chunked body, without its end.
    private mutating func takeLine() throws(Stop) -> ArraySlice<UInt8> {
        scanned = max(scanned, start)
        guard let end = buffer[scanned...].firstIndex(of: 0x0A) else {
            scanned = buffer.count
            try checkHead(upTo: scanned)
            throw .needsMore
        }
        try checkHead(upTo: end + 1)
        guard end > start, buffer[end - 1] == 0x0D else { throw .failed(400, "a line does not end in CR LF") }
        defer { start = end + 1 }
        return buffer[start..<(end - 1)]
    }

    private static func chunkSize(_ line: ArraySlice<UInt8>) throws(Stop) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        let text = String(decoding: digits, as: UTF8.self).trimmingSpaces()
        guard !text.isEmpty, text.utf8.count <= 15, text.allSatisfy(\.isHexDigit), let size = Int(text, radix: 16)
        else { throw .failed(400, "a chunk size that is no hexadecimal number") }
        return size
    }

    private static func headTooLarge(_ limit: Int) -> Stop {
        .failed(431, "a head of more than \(limit) bytes")
    }

    private static func bodyTooLarge(_ limit: Int) -> Stop {
        .failed(413, "a body of more than \(limit) bytes")
    }
}
