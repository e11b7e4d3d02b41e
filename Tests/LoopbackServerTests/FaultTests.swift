import NetworkIndicator
import Testing

@testable import LoopbackServer

/// The faults, observed on a client's socket.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FaultTests {
    @Test func connectionsAreRefusedUntilTheServerListens() throws {
        let server = try LoopbackServer(isListening: false)
        defer { server.stop() }
        server.on("/", .text("up"))
        for _ in 0..<3 { #expect(RawClient(server) == nil) }
        try server.startListening()
        let client = try #require(RawClient(server))
        client.get("/")
        #expect(client.readHead().hasPrefix("HTTP/1.1 200 "))
        #expect(server.acceptedConnectionCount == 1)
    }

    @Test func endsBeforeTheResponse() throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on("/", .reset, .close)
        for end in [RawClient.End.reset, .fin] {
            let client = try #require(RawClient(server))
            client.get("/")
            #expect(client.read() == ([], end))
        }
        #expect(server.hits("/") == 2)
    }

    @Test(arguments: [0, 1, 100_000, 3_000_000])
    func endsInsideTheBody(cut: Int) throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let response = Response.generated(size: 4_000_000)
        server.on("/", response.cut(.reset, after: cut), response.cut(.close, after: cut))
        for end in [RawClient.End.reset, .fin] {
            let client = try #require(RawClient(server))
            client.get("/")
            #expect(client.readHead().contains("Content-Length: 4000000\r\n"))
            let (bytes, seen) = client.read()
            #expect(seen == end)
            // The comparison is outside of #expect, which would search for the differences for hours.
            let isWhole = bytes == response.body.bytes(in: 0..<cut)
            #expect(isWhole)
        }
    }

    @Test func silenceLastsUntilTheClientCloses() throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on("/", .silence)
        var client = RawClient(server)
        client?.get("/")
        #expect(eventually { server.hits("/") == 1 })
        #expect(server.openConnectionCount == 1)
        client = nil
        #expect(eventually { server.openConnectionCount == 0 })
    }

    @Test func silenceInsideTheBody() throws {
        let server = try LoopbackServer()
        server.on("/", .text("abcdef").cut(.stall, after: 3))
        let client = try #require(RawClient(server))
        client.get("/")
        _ = client.readHead()
        #expect(client.read(3).bytes == Array("abc".utf8))
        #expect(server.openConnectionCount == 1)
        server.stop()
        #expect(client.read() == ([], .fin))
    }

    /// A write to a connection that the client has reset would raise SIGPIPE.
    @Test func aClientMayResetAtAnyTime() throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on("/", .generated(size: 50_000_000), .generated(size: 1_000).dripping(1, every: .milliseconds(1)))
        for round in 0..<40 {
            let client = try #require(RawClient(server))
            client.get("/")
            if round % 3 > 0 { _ = client.read(round) }
        }
        #expect(eventually { server.openConnectionCount == 0 })
        #expect(eventually { server.hits("/") == 40 })
    }

    @Test(arguments: [
        "nonsense\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET / HTTP/1.1\r\nX\r\n\r\n",
        "PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
    ])
    func anythingButARequestEndsTheConnection(text: String) throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let client = try #require(RawClient(server))
        client.send(text)
        #expect(client.read() == ([], .fin))
        #expect(server.requests.isEmpty)
    }
}
