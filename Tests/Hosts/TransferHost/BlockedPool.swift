import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct BlockedPool {
    func run() async throws {
        let server = try LoopbackServer()
        server.on("/", .silence)
        var request = URLRequest(url: server.url("/"))
        request.timeoutInterval = 1
        let call = Task { [request] in
            let manager = NetworkIndicatorManager(configuration: .immediate)
            return try await URLSession(configuration: .ephemeral).trackedData(
                for: request, policy: .singleAttempt, manager: manager)
        }
        let isOver = Lock(false)
        Thread.detachNewThread {
            Self.wait { server.hits("/") == 1 }
            let count = ProcessInfo.processInfo.activeProcessorCount
            let running = Lock(0)
            for _ in 0..<count {
                Task.detached {
                    running.withLock { $0 += 1 }
                    while !isOver.withLock({ $0 }) { usleep(5_000) }
                }
            }
            Self.wait { running.withLock { $0 } == count }
            let isFree = Lock(false)
            Task.detached { isFree.withLock { $0 = true } }
            usleep(100_000)
            report("blocked", !isFree.withLock { $0 })
            Self.wait { server.openConnectionCount == 0 }
            report("ended meanwhile", server.openConnectionCount == 0)
            isOver.withLock { $0 = true }
        }
        do {
            _ = try await call.value
        } catch let error as NetworkRequestError {
            report("timeout", error.underlyingError.code == .timedOut)
        }
    }

    private static func wait(until condition: () -> Bool) {
        for _ in 0..<6_000 where !condition() { usleep(5_000) }
    }
}
