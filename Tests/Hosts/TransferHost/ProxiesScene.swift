#if os(Linux)
import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

/// Proxies that can't be found or reached, and SOCKS proxies that refuse.
func proxies() async throws {
    for name in ["no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY", "https_proxy", "HTTPS_PROXY"] { unsetenv(name) }
    var policy = TrackedRetryPolicy.standard
    policy.backoffBase = .zero
    func load(_ name: String, _ url: String = "http://h.example/") async throws {
        do {
            let url = URL(string: url)!
            _ = try await URLSession.shared.trackedData(from: url, policy: policy)
        } catch let error as NetworkRequestError {
            report(name, "\(error.code.rawValue), \(error)")
        }
    }
    let closed = try LoopbackServer(isListening: false)
    setenv("http_proxy", "http://missing.invalid:3128", 1)
    setenv("https_proxy", "http://me:secret@127.0.0.1:\(closed.port)/", 1)
    try await load("missing")
    try await load("closed", "https://h.example/")
    setenv("no_proxy", "127.0.0.1", 1)
    try await load("none", "http://127.0.0.1:\(closed.port)/")
    unsetenv("http_proxy")
    for reply: [UInt8] in [[5, 255], [5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0], [5, 0, 5, 1, 0, 1, 0, 0, 0, 0, 0, 0]] {
        let proxy = try SOCKSProxy(reply)
        setenv("all_proxy", "socks5h://127.0.0.1:\(proxy.port)", 1)
        try await load("SOCKS \(reply[1]), \(reply.dropFirst(3).first ?? 0)")
    }
}

/// Sends the first two bytes of a reply after the greeting, and the others after the request.
private final class SOCKSProxy: Sendable {
    let port: UInt16

    init(_ reply: [UInt8]) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        (address.sin_family, address.sin_addr.s_addr) = (sa_family_t(AF_INET), inet_addr("127.0.0.1"))
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = bind(listener, pointer, length)
                getsockname(listener, pointer, &length)
            }
        }
        guard listen(listener, 8) == 0 else { throw POSIXError(.EIO) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                var buffer = [UInt8](repeating: 0, count: 300)
                for part in [reply.prefix(2), reply.dropFirst(2)] {
                    _ = recv(connection, &buffer, buffer.count, 0)
                    _ = Array(part).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
                }
                close(connection)
            }
        }
    }
}
#endif
