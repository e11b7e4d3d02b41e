import Foundation
import LoopbackServer
import NetworkIndicatorTransfers
import TestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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

#if os(Linux)
/// Calls beside one whose name server never answers.
struct SilentNameServer {
    private let descriptor: Int32

    init() throws {
        try enterNamespace(0x4002_0000)
        let file = NSTemporaryDirectory() + "resolv.conf"
        try Data("nameserver 127.0.0.1\noptions timeout:30 attempts:5\n".utf8).write(to: URL(filePath: file))
        try shell("ip link set lo up && mount --make-rprivate / && mount --bind \(file) /etc/resolv.conf")
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(53).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    func run() async throws {
        alarm(60)
        let server = try LoopbackServer()
        server.on("/", .text("Hello"))
        let session = URLSession(configuration: .ephemeral)
        let call = Task { try await session.trackedData(from: URL(string: "http://slow.test/")!) }
        var query: UInt8 = 0
        recv(descriptor, &query, 1, 0)
        for _ in 0..<20 { _ = try await session.trackedData(from: server.url("/")) }
        call.cancel()
        if case .failure(let error) = await call.result { report("error", type(of: error)) }
        for _ in 0..<20 { _ = try await session.trackedData(from: server.url("/")) }
        report("requests", server.hits("/"))
    }
}
#endif
