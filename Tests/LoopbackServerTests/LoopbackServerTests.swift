import Foundation
import TestSupport
import Testing

@testable import LoopbackServer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.serialized, .timeLimit(.minutes(10)))
struct LoopbackServerTests {
    init() { ResourceLimit.raiseDescriptors() }

    @Test func theResponseToAHeadRequestHasNoBody() throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on("/a", .text("body"), .text("body").chunked(), .text("end").untilClose())
        let client = try #require(RawClient(server))
        for _ in 0..<2 {
            client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.readHead().hasPrefix("HTTP/1.1 200"))
        }
        client.get("/a")
        #expect(client.readHead().hasPrefix("HTTP/1.1 200"))
        #expect(client.read().bytes == Array("end".utf8))
    }

    @Test func aClientThatExpectsContinueReceivesIt() throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on("/", .text("thanks"))
        let client = try #require(RawClient(server))
        client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
        #expect(client.readHead() == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("body")
        #expect(client.readHead().hasPrefix("HTTP/1.1 200 "))
        #expect(server.requests.first?.body == Array("body".utf8))
    }

    @Test func chunkedBodiesAreJoined() throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on("/") { .bytes($0.body) }
        let client = try #require(RawClient(server))
        client.send("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n")
        client.get("/")
        for body in ["abc0123456789", ""] {
            #expect(client.readHead().contains("Content-Length: \(body.utf8.count)\r\n"))
            #expect(client.read(body.utf8.count).bytes == Array(body.utf8))
        }
        #expect(server.hits("/") == 2)
    }

    @Test func aTunnel() throws {
        let (proxy, origin) = (try LoopbackServer(), try LoopbackServer())
        defer { for server in [proxy, origin] { server.stop() } }
        origin.on("/a", .text("one").delayed(by: .milliseconds(100)))
        proxy.on("origin:443", .tunnel("HTTP/1.0 200 Established\r\n\r\n", to: origin.port))
        proxy.on("dead:443", .tunnel("HTTP/1.1 404 No\r\n\r\n", to: nil))
        let client = try #require(RawClient(proxy))
        client.send("CONNECT origin:443 HTTP/1.1\r\nHost: origin:443\r\n\r\n")
        #expect(client.readHead() == "HTTP/1.0 200 Established\r\n\r\n")
        client.get("/a")
        client.finishWriting()
        let head = client.readHead()
        let body = client.read()
        #expect(head.hasPrefix("HTTP/1.1 200") && body.bytes == Array("one".utf8) && body.end == .fin)
        let refused = try #require(RawClient(proxy))
        refused.send("CONNECT dead:443 HTTP/1.1\r\nHost: dead:443\r\n\r\n")
        let (bytes, end) = refused.read()
        #expect(bytes == Array("HTTP/1.1 404 No\r\n\r\n".utf8) && end == .fin)
    }

    @Test func nothingIsLeftBehind() throws {
        func count(_ directory: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? 0
        }
        final class Witness: Sendable {}
        weak var witness: Witness?
        let descriptors = count("/dev/fd")
        #expect(descriptors > 0)
        #if os(Linux)
        let threads = count("/proc/self/task")
        #endif
        for round in 0..<900 {
            let server = try LoopbackServer(isListening: round % 2 == 0)
            let held = Witness()
            witness = held
            server.on("/") { _ in withExtendedLifetime(held) { .silence } }
            let client = RawClient(server)
            client?.get("/")
            if round % 3 > 0 { server.stop() }
        }
        #expect(eventually { witness == nil })
        // Other tests run at the same time, so the limits allow for 250 more descriptors and threads.
        #expect(eventually { count("/dev/fd") < descriptors + 250 })
        #if os(Linux)
        #expect(eventually { count("/proc/self/task") < threads + 250 })
        #endif
    }
}
