import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests in a session in which other requests are cancelled as fast as the machine can.
struct CancellationStorm {
    private let server: LoopbackServer
    private let session = URLSession(configuration: .ephemeral)
    private let manager = NetworkIndicatorManager(configuration: .immediate)
    private let cancelled = Lock(0)

    init() throws {
        server = try LoopbackServer()
        server.on("/silent", .silence)
        server.on("/", .text("Hello").delayed(by: .milliseconds(20)))
    }

    func run() async throws {
        let calm = await requests()
        let storm = (0..<16).map { _ in Task { await cancelRequests() } }
        try await Task.sleep(for: .milliseconds(500))
        let stormy = await requests()
        for task in storm { task.cancel() }
        report("failed", (calm + stormy).count { $0 == nil })
        report("cancelled", cancelled.withLock { $0 })
        report("calm", Self.median(calm))
        report("stormy", Self.median(stormy))
        exit(0)
    }

    /// - Returns: How long each request took, or `nil` if it failed.
    private func requests() async -> [Duration?] {
        var durations: [Duration?] = []
        var request = URLRequest(url: server.url("/"))
        request.timeoutInterval = 3
        for _ in 1...20 {
            let start = ContinuousClock.now
            let result = try? await session.trackedData(for: request, policy: .never, manager: manager)
            durations.append(result == nil ? nil : start.duration(to: .now))
        }
        return durations
    }

    private func cancelRequests() async {
        let url = server.url("/silent")
        while !Task.isCancelled {
            let call = Task { try await session.trackedData(from: url, policy: .never, manager: manager) }
            for _ in 0..<4 { await Task.yield() }
            call.cancel()
            _ = try? await call.value
            cancelled.withLock { $0 += 1 }
        }
    }

    /// In milliseconds.
    private static func median(_ durations: [Duration?]) -> Int {
        let sorted = durations.map { $0 ?? .seconds(3_600) }.sorted()
        return Int(sorted[sorted.count / 2] / .milliseconds(1))
    }
}
