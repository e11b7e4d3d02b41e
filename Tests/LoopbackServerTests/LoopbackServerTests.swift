import Foundation
import TestSupport
import Testing

@testable import LoopbackServer

@Suite(.serialized, .timeLimit(.minutes(10)))
struct LoopbackServerTests {
    init() { ResourceLimit.raiseDescriptors() }

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
            let client = try? Socket.connected(to: server.port)
            defer { client?.close() }
            _ = client?.send(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
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

private func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<2_000 {
        if condition() { return true }
        usleep(5_000)
    }
    return false
}
