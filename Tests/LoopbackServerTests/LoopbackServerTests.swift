import Foundation
import Testing

@testable import LoopbackServer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct LoopbackServerTests {
    @Test func aScriptIsFollowedHitByHit() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on("/a", .text("one"), .status(503))
        let (data, response) = try await URLSession.shared.data(from: server.url("/a?x=1"))
        #expect(String(decoding: data, as: UTF8.self) == "one")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        for _ in 0..<2 {
            let (_, response) = try await URLSession.shared.data(from: server.url("/a"))
            #expect((response as? HTTPURLResponse)?.statusCode == 503)
        }
        #expect(server.hits("/a") == 3)
        #expect(server.requests("/a").map(\.query) == ["x=1", nil, nil])
    }
}
