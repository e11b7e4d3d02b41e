import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A handler that blocks for 8 s, with a timeout of 3 s. It suspends the reading of its session, and thereby another
/// request.
struct SlowHandler {
    func run() async throws {
        let server = try LoopbackServer()
        server.on("/large", .generated(size: 20_000_000))
        server.on("/small", .text("Hello").delayed(by: .milliseconds(100)))
        let session = URLSession(configuration: .ephemeral)
        let manager = NetworkIndicatorManager(configuration: .immediate)
        let hasBlocked = Lock(false)
        let started = AsyncStream.makeStream(of: Void.self)
        let large = URLRequest(url: server.url("/large"), timeout: 3)
        let small = URLRequest(url: server.url("/small"), timeout: 3)
        async let first = session.trackedData(for: large, policy: .never, manager: manager) { event in
            guard case .progress = event, !hasBlocked.withLock({ $0 }) else { return }
            hasBlocked.withLock { $0 = true }
            started.continuation.yield()
            Thread.sleep(forTimeInterval: 8)
        }
        for await _ in started.stream { break }
        let second = Task { try await session.trackedData(for: small, policy: .never, manager: manager).0 }
        report("large", (try? await first.0.count) ?? "failed")
        report("small", (try? await second.value.count) ?? "failed")
    }
}

extension URLRequest {
    fileprivate init(url: URL, timeout: TimeInterval) {
        self.init(url: url)
        timeoutInterval = timeout
    }
}
