import Testing

@testable import LoopbackServer

/// What a client receives for a response.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ResponseTests {
    private let abcde = Response.bytes(Array("abcde".utf8))

    /// Everything that arrives until the connection ends.
    private func received(_ response: Response, _ headers: String...) throws -> String {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on("/", response)
        let client = try #require(RawClient(server))
        client.send((["GET / HTTP/1.1", "Connection: close"] + headers).joined(separator: "\r\n") + "\r\n\r\n")
        return String(decoding: client.read().bytes, as: UTF8.self)
    }

    private func text(_ status: Int, _ lines: String..., body: String = "") -> String {
        let last = ["Connection: close", "X-Content-Type-Options: nosniff", "Cache-Control: no-store", "", body]
        return (["HTTP/1.1 \(status) "] + lines + last).joined(separator: "\r\n")
    }

    @Test func aResponseHasItsLength() throws {
        #expect(try received(abcde) == text(200, "Content-Length: 5", body: "abcde"))
        #expect(try received(Response(status: 204)) == text(204))
        #expect(try received(.status(404)) == text(404, "Content-Length: 4", body: "404\n"))
        #expect(try received(abcde.untilClose()) == text(200, body: "abcde"))
    }

    @Test func chunks() throws {
        let (head, response) = ("Transfer-Encoding: chunked", abcde.chunked().dripping(3, every: .milliseconds(1)))
        #expect(try received(response) == text(200, head, body: "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"))
        #expect(try received(response.cut(.close, after: 1)) == text(200, head, body: "3\r\na"))
        #expect(try received(response.cut(.close, after: 3)) == text(200, head, body: "3\r\nabc\r\n"))
        #expect(try received(response.cut(.close, after: 5)) == text(200, head, body: "3\r\nabc\r\n2\r\nde\r\n"))
        #expect(try received(Response.bytes([]).chunked()) == text(200, head, body: "0\r\n\r\n"))
    }

    @Test func aResponseIsDelayedAndDrips() throws {
        let start = SuspendingClock().now
        let response = abcde.delayed(by: .milliseconds(30)).dripping(2, every: .milliseconds(20))
        #expect(try received(response) == text(200, "Content-Length: 5", body: "abcde"))
        #expect(start.duration(to: SuspendingClock().now) >= .milliseconds(70))
    }

    @Test(arguments: [
        ("bytes=2-", "2-4/5", "cde"), ("bytes=2-99", "2-4/5", "cde"), ("bytes=1-2", "1-2/5", "bc"),
        ("bytes=5-", "*/5", ""), ("bytes=3-2", "*/5", ""),
        ("bytes=-3", nil, "abcde"), ("bytes=a-b", nil, "abcde"), ("items=0-1", nil, "abcde"),
    ])
    func ranges(header: String, contentRange: String?, body: String) throws {
        let status = contentRange == nil ? 200 : body.isEmpty ? 416 : 206
        let lines = contentRange.map { "Content-Range: bytes \($0)\r\n" } ?? ""
        #expect(
            try received(abcde.ranged(entityTag: "\"v1\""), "Range: \(header)")
                == text(
                    status, "ETag: \"v1\"\r\nAccept-Ranges: bytes\r\n\(lines)Content-Length: \(body.count)", body: body)
        )
    }

    @Test func aRangeNeedsTheSameEntityTag() throws {
        let response = abcde.ranged(entityTag: "\"v1\"")
        #expect(try received(response, "Range: bytes=2-", "If-Range: \"v1\"").hasPrefix("HTTP/1.1 206 "))
        #expect(try received(response, "Range: bytes=2-", "If-Range: \"v0\"").hasPrefix("HTTP/1.1 200 "))
        #expect(try received(abcde, "Range: bytes=2-").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func aGeneratedBodyIsTheSameInAnyParts() {
        let body = Body.generated(size: 200_000, seed: 7)
        let whole = body.bytes(in: 0..<200_000)
        #expect(whole.count == 200_000)
        for range in [0..<1, 0..<8, 5..<9, 65_530..<65_550, 65_536..<131_072, 131_071..<199_999, 7..<7] {
            let isEqual = body.bytes(in: range) == Array(whole[range])
            #expect(isEqual, "\(range)")
        }
        // The 64 KiB pages of a body differ, and so do the bodies of different seeds.
        let repeats = whole[..<65_536] == whole[65_536..<131_072]
        #expect(!repeats)
        #expect(Body.generated(size: 100, seed: 8).bytes(in: 0..<100) != Array(whole[..<100]))
    }
}
