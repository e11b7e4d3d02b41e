import Foundation
import LoopbackServer
import NetworkIndicatorTransfers
import TestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Calls beside ten redirects whose bodies never end.
func endlessRedirects() async throws {
    alarm(120)
    let server = try LoopbackServer()
    server.on("/healthy", .generated(size: 10_000))
    let endless = Response(status: 302, headers: ["Location": "/target"], body: .generated(size: 1 << 40, seed: 1))
    server.on("/endless", endless)
    server.on("/target", .text("target"))
    let session = URLSession(configuration: .ephemeral)
    let redirected = (0..<10).map { _ in Task { try await session.trackedData(from: server.url("/endless")).0 } }
    for _ in 0..<12 { _ = try await session.trackedData(from: server.url("/healthy")) }
    var followed = 0
    for call in redirected where try await call.value == Data("target".utf8) { followed += 1 }
    report("followed", followed)
}

/// A timeout while every thread of the cooperative pool is blocked.
func blockedPool() async throws {
    let server = try LoopbackServer()
    server.on("/", .silence)
    let request = URLRequest(url: server.url("/"), timeoutInterval: 2)
    let call = Task {
        try await URLSession(configuration: .ephemeral).trackedData(for: request, policy: .singleAttempt)
    }
    @Sendable func wait(until condition: () -> Bool) {
        for _ in 0..<6_000 where !condition() { usleep(5_000) }
    }
    Thread.detachNewThread {
        wait { server.hits("/") == 1 }
        let pool = BlockedThreadPool()
        wait { server.openConnectionCount == 0 }
        report("ended meanwhile", server.openConnectionCount == 0)
        pool.unblock()
    }
    do {
        _ = try await call.value
    } catch let error as NetworkRequestError {
        report("timeout", error.code == .timedOut)
    }
}
