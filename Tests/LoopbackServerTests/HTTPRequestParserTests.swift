import TestSupport
import Testing

@testable import LoopbackServer

@Suite struct HTTPRequestParserTests {
    /// The result of parsing bytes in portions.
    struct Outcome: Equatable {
        var requests: [HTTPRequest] = []
        var failure: HTTPRequestError?

        init(_ portions: [ArraySlice<UInt8>], limits: HTTPRequestParser.Limits = .init()) {
            var parser = HTTPRequestParser(limits: limits)
            do {
                for portion in portions {
                    parser.append(portion)
                    while let request = try parser.next() { requests.append(request) }
                }
            } catch {
                failure = error
            }
        }

        init(_ text: String, limits: HTTPRequestParser.Limits = .init()) {
            self.init([Array(text.utf8)[...]], limits: limits)
        }
    }

    @Test func aRequestHasItsParts() throws {
        let outcome = Outcome(
            "PUT /a%20b?c=d?e HTTP/1.1\r\nHost: h\r\nX-A:  one \r\nx-a: two\r\nContent-Length: 3\r\n\r\nabc")
        let request = try #require(outcome.requests.first)
        #expect(request.method == "PUT")
        #expect(request.path == "/a%20b")
        #expect(request.query == "c=d?e")
        #expect(request.headers["HOST"] == "h")
        #expect(request.headers.values("X-a") == ["one", "two"])
        #expect(request.body == Array("abc".utf8))
        #expect(outcome.failure == nil && outcome.requests.count == 1)
    }

    @Test func requestsFollowOneAnother() {
        let outcome = Outcome(
            "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n\r\nPOST /2 HTTP/1.0\r\nContent-Length: 1\r\n\r\nxGET /3 HTTP/1.1\r\n")
        #expect(outcome.requests.map(\.target) == ["/1", "/2"])
        #expect(outcome.requests.map(\.keepsAlive) == [true, false])
        #expect(outcome.failure == nil)
    }

    @Test func chunkedBodiesAreJoined() {
        let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        let outcome = Outcome(
            head + "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(outcome.requests.map(\.body) == [Array("abc0123456789".utf8), []])
    }

    @Test func aClientMayWaitForContinue() throws {
        var parser = HTTPRequestParser()
        parser.append("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n".utf8)
        #expect(try parser.next() == nil)
        #expect(parser.expectsContinue)
        parser.append("x".utf8)
        #expect(try parser.next() != nil)
        #expect(!parser.expectsContinue)
    }

    @Test(arguments: [
        ("GET /\r\n\r\n", 400),
        ("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("G(T / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET /\u{7f} HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET / HTTP/1.1\nHost: h\n\n", 400),
        ("\n", 400),
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\n folded: x\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nX\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\u{0}b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505),
        ("GET / HTTP/1.0\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("GET / HTTP/1.0\r\nContent-Length: -1\r\n\r\n", 400),
        ("GET / HTTP/1.0\r\nContent-Length: +1\r\n\r\n", 400),
        ("GET / HTTP/1.0\r\nContent-Length: \r\n\r\n", 400),
        ("GET / HTTP/1.0\r\nContent-Length: ٣\r\n\r\n", 400),
        ("GET / HTTP/1.0\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413),
        ("GET / HTTP/1.0\r\nContent-Length: 67108865\r\n\r\n", 413),
        ("GET / HTTP/1.0\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", 400),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc", 400),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n", 413),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", 400),
    ])
    func malformedRequestsAreRefused(text: String, status: Int) {
        let outcome = Outcome(text)
        #expect(outcome.requests == [])
        #expect(outcome.failure?.status == status)
    }

    @Test func sizesAreLimited() {
        var limits = HTTPRequestParser.Limits()
        limits.head = 40
        limits.body = 4
        let head = "GET / HTTP/1.0\r\n"
        #expect(Outcome(head + "X: \(String(repeating: "x", count: 17))\r\n\r\n", limits: limits).requests.count == 1)
        #expect(
            Outcome(head + "X: \(String(repeating: "x", count: 18))\r\n\r\n", limits: limits).failure?.status == 431)
        #expect(Outcome(String(repeating: "x", count: 41), limits: limits).failure?.status == 431)
        let chunked = "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"
        limits.head = 60
        #expect(Outcome(chunked + "2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n", limits: limits).requests.count == 1)
        #expect(Outcome(chunked + "2\r\nab\r\n3\r\n", limits: limits).failure?.status == 413)
        #expect(Outcome(chunked + String(repeating: "0", count: 61), limits: limits).failure?.status == 431)
        let trailer = String(repeating: "X: 12345\r\n", count: 7)
        #expect(Outcome(chunked + "0\r\n" + trailer + "\r\n", limits: limits).failure?.status == 431)
    }

    @Test func anErrorLasts() {
        var parser = HTTPRequestParser()
        parser.append("nonsense\r\n\r\n".utf8)
        #expect(throws: HTTPRequestError.self) { try parser.next() }
        parser.append("GET / HTTP/1.0\r\n\r\n".utf8)
        #expect(throws: HTTPRequestError.self) { try parser.next() }
    }

    /// Parses valid requests with changed, removed, repeated and inserted bytes. The parser must not crash, and the
    /// sizes of the portions must not affect the result.
    @Test func anyBytesInAnyPortionsAreParsedOrRefused() {
        let seeds = [
            "GET /a?b HTTP/1.1\r\nHost: h\r\n\r\n",
            "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 12\r\n\r\nhello, world",
            "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;e=1\r\n,\r\n0\r\nT: t\r\n\r\n",
        ].map { Array($0.utf8) }
        let interesting = Array("\r\n :;?,0123456789abcdefGET/HTTP1.\0\t\u{7f}é".utf8)
        var limits = HTTPRequestParser.Limits()
        limits.head = 200
        limits.body = 100
        var random = SeededGenerator(seed: 2)
        var failures = 0
        var complete = 0
        for _ in 0..<4_000 {
            var bytes = (0..<Int.random(in: 1...3, using: &random)).flatMap { _ in seeds.randomElement(using: &random)!
            }
            for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = interesting.randomElement(using: &random)!
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(interesting.randomElement(using: &random)!, at: index)
                default: bytes.insert(contentsOf: bytes[..<index], at: index)
                }
            }
            var portions: [ArraySlice<UInt8>] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...min(rest.count, 40), using: &random)
                portions.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            let whole = Outcome([bytes[...]], limits: limits)
            #expect(Outcome(portions, limits: limits) == whole)
            failures += whole.failure == nil ? 0 : 1
            complete += whole.requests.count
        }
        // There are few enough changes that both outcomes occur often.
        #expect(failures > 400 && complete > 400)
    }
}
