import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTestKit
import NetworkIndicatorURLSession
import TestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct IdleWaits {
    func run(_ count: Int) async throws {
        let stage = try Stage()
        let early = Lock(0)
        for first in stride(from: 0, to: count, by: 20) {
            try await withThrowingTaskGroup { group in
                for number in first..<(first + 20) {
                    group.addTask { if try await isEarly(number, on: stage) { early.withLock { $0 += 1 } } }
                }
                try await group.waitForAll()
            }
        }
        report("early", early.withLock { $0 })
    }

    private func isEarly(_ number: Int, on stage: Stage) async throws -> Bool {
        let manager = NetworkIndicatorManager()
        let ended = Lock(false)
        let response = Response.text("Hello").delayed(by: .milliseconds(20))
        let task = stage.task("/\(number)", response) { ended.withLock { $0 = true } }
        task.tracked(by: manager).resume()
        try await manager.waitUntilIdle()
        let isEarly = !ended.withLock { $0 }
        while !ended.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(2)) }
        return isEarly
    }
}

/// This code is synchronous, because every thread of the cooperative pool is blocked.
struct BlockedPool {
    func run() throws {
        _ = BlockedThreadPool()
        let stage = try Stage()
        let manager = NetworkIndicatorManager()
        let lamp = RecordingIndicator()
        manager.attach(lamp)
        let first = stage.task("/1", .silence).tracked(by: manager)
        first.resume()
        report("shown at once", isTrue { lamp.isVisible })
        first.cancel()
        report("off", isTrue { !lamp.isVisible })

        let second = stage.task("/2", .silence).tracked(by: manager)
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 1))
        second.resume()
        report("shown later", isTrue { lamp.isVisible })
        exit(0)
    }

    private func isTrue(_ condition: () -> Bool) -> Bool {
        for _ in 0..<3_000 where !condition() { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02)) }
        return condition()
    }
}

struct Stage: Sendable {
    let server: LoopbackServer
    let session: URLSession

    init() throws {
        server = try LoopbackServer()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 200
        session = URLSession(configuration: configuration)
    }

    func task(_ path: String, _ response: Response, end: @escaping @Sendable () -> Void = {}) -> URLSessionTask {
        server.on(path, response)
        return session.dataTask(with: server.url(path)) { _, _, _ in end() }
    }
}
