import Foundation
import TestSupport
import Testing

@testable import LoopbackServer

@Suite(.serialized, .timeLimit(.minutes(10)))
struct LoopbackServerTests {
    init() { ResourceLimit.raiseDescriptors() }

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
            client?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
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

private final class RawClient {
    private let socket: Socket

    init?(_ server: LoopbackServer) {
        guard let socket = try? Socket.connected(to: server.port) else { return nil }
        self.socket = socket
        socket.set(SO_RCVTIMEO, SOL_SOCKET, timeval(tv_sec: 20, tv_usec: 0))
    }

    deinit { socket.close() }

    func send(_ text: String) { _ = socket.send(Array(text.utf8)) }

    func readHead() -> String {
        var head = ""
        var byte: UInt8 = 0
        while !head.hasSuffix("\r\n\r\n"), recv(socket.descriptor, &byte, 1, 0) == 1 {
            head.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return head
    }
}

private func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<2_000 {
        if condition() { return true }
        usleep(5_000)
    }
    return false
}
