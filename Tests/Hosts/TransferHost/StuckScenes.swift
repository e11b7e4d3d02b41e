import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

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

/// Blocks all threads of the cooperative thread pool.
private struct BlockedThreadPool {
    private let isBlocked = Lock(true)

    /// Blocks the calling thread until Swift tasks no longer run.
    init() {
        let isBlocked = isBlocked
        for priority in [TaskPriority.high, .medium, .low, .background] {
            for _ in 0..<64 {
                Task.detached(priority: priority) { while isBlocked.withLock(\.self) { usleep(5_000) } }
            }
        }
        while Self.runsTasks {}
    }

    private static var runsTasks: Bool {
        let hasRun = Lock(false)
        Task.detached { hasRun.withLock { $0 = true } }
        usleep(300_000)
        return hasRun.withLock(\.self)
    }

    func unblock() { isBlocked.withLock { $0 = false } }
}

#if os(Linux)
/// Calls beside some whose name server never answers, and a host whose first address swallows packets.
struct SilentNameServer {
    private let descriptor: Int32

    init() throws {
        try enterNamespace(0x4002_0000)
        let file = NSTemporaryDirectory() + "resolv.conf"
        try Data("nameserver 127.0.0.1\noptions timeout:30 attempts:5\n".utf8).write(to: URL(filePath: file))
        let hosts = NSTemporaryDirectory() + "hosts"
        // Foundation looks up the name of the machine.
        let others = try Data(contentsOf: URL(filePath: "/etc/hosts"))
        try (others + Data("\n127.0.0.2 two.test\n127.0.0.1 two.test\n".utf8)).write(to: URL(filePath: hosts))
        try shell(
            """
            ip link set lo up && ip address add 127.0.0.2/32 dev lo && mount --make-rprivate / && mount --bind \(file) /etc/resolv.conf &&
                mount --bind \(hosts) /etc/hosts
            """)
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        try at("127.0.0.1", 53) { bind(descriptor, $0, $1) }
    }

    private func at(_ host: String, _ port: UInt16, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        (address.sin_port, address.sin_addr.s_addr) = (port.bigEndian, inet_addr(host))
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 || errno == EINPROGRESS else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    /// A socket that accepts no connection, and has no space for another one.
    private func swallow(_ port: UInt16) throws {
        let stream = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        let listener = socket(AF_INET, stream, 0)
        try at("127.0.0.2", port) { bind(listener, $0, $1) | listen(listener, 0) }
        for _ in 0..<4 { try at("127.0.0.2", port) { connect(socket(AF_INET, stream, 0), $0, $1) } }
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
        // At the end of its own time for connections, libcurl would wait for the lookup.
        let late = URLRequest(url: URL(string: "http://late.test/")!, timeoutInterval: 1)
        do {
            _ = try await session.trackedData(for: late, policy: .singleAttempt)
        } catch let error as NetworkRequestError {
            report("late", error.code == .timedOut)
        }
        for _ in 0..<20 { _ = try await session.trackedData(from: server.url("/")) }
        report("requests", server.hits("/"))
        try swallow(server.port)
        // Half of the time is for the second address. On a busy machine, it can be too short.
        let request = URLRequest(url: URL(string: "http://two.test:\(server.port)/")!, timeoutInterval: 1)
        var data: Data?
        for _ in 1...5 where data == nil {
            data = try? await session.trackedData(for: request, policy: .singleAttempt).0
        }
        report("two", data.map { String(decoding: $0, as: UTF8.self) } ?? "the second address was not tried")
    }
}
#endif
