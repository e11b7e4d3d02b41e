import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

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
    let heart = Heart()
    let redirected = (0..<10).map { _ in Task { try await session.trackedData(from: server.url("/endless")).0 } }
    for _ in 0..<12 { _ = try await session.trackedData(from: server.url("/healthy")) }
    report("heartbeats", await heart.beats())
    var followed = 0
    for call in redirected where try await call.value == Data("target".utf8) { followed += 1 }
    report("followed", followed)
}

/// A timeout while every thread of the cooperative pool is blocked.
func blockedPool() async throws {
    let server = try LoopbackServer()
    server.on("/", .silence)
    let request = URLRequest(url: server.url("/"), timeoutInterval: 1)
    let call = Task {
        try await URLSession(configuration: .ephemeral).trackedData(for: request, policy: .singleAttempt)
    }
    @Sendable func wait(until condition: () -> Bool) {
        for _ in 0..<6_000 where !condition() { usleep(5_000) }
    }
    let isOver = Lock(false)
    Thread.detachNewThread {
        wait { server.hits("/") == 1 }
        let count = ProcessInfo.processInfo.activeProcessorCount
        let running = Lock(0)
        for _ in 0..<count {
            Task.detached {
                running.withLock { $0 += 1 }
                while !isOver.withLock({ $0 }) { usleep(5_000) }
            }
        }
        wait { running.withLock { $0 } == count }
        let isFree = Lock(false)
        Task.detached { isFree.withLock { $0 = true } }
        usleep(100_000)
        report("blocked", !isFree.withLock { $0 })
        wait { server.openConnectionCount == 0 }
        report("ended meanwhile", server.openConnectionCount == 0)
        isOver.withLock { $0 = true }
    }
    do {
        _ = try await call.value
    } catch let error as NetworkRequestError {
        report("timeout", error.code == .timedOut)
    }
}

/// Calls while the queue that URLSession on Linux uses for all sessions is blocked.
struct BlockedSessions {
    private final class Blocker: URLProtocol {
        static let isBlocked = Lock(false)
        static let end = DispatchSemaphore(value: 0)

        override class func canInit(with request: URLRequest) -> Bool { true }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
        override func stopLoading() {}
        override func startLoading() {
            Self.isBlocked.withLock { $0 = true }
            Self.end.wait()
            client?.urlProtocol(self, didFailWithError: URLError(.unknown))
        }
    }

    func run() async throws {
        alarm(120)
        let server = try LoopbackServer()
        server.on("/", .text("Hello"))
        let (url, session) = (server.url("/"), URLSession(configuration: .ephemeral))
        let manager = NetworkIndicatorManager(configuration: .immediate)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Blocker.self]
        let blocked = URLSession(configuration: configuration).dataTask(with: url) { _, _, _ in }
        blocked.resume()
        while !Blocker.isBlocked.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }

        let heart = Heart()
        let calls = (0..<8).map { _ in
            Task { try await session.trackedData(from: url, policy: .singleAttempt, manager: manager) }
        }
        do {
            let request = URLRequest(url: url, timeoutInterval: 1)
            _ = try await session.trackedData(for: request, policy: .singleAttempt, manager: manager)
        } catch let error as NetworkRequestError {
            report("timeout", error.underlyingError.code == .timedOut)
        }
        var cancelled = 0
        for call in calls {
            call.cancel()
            if case .failure(is CancellationError) = await call.result { cancelled += 1 }
        }
        report("cancelled", cancelled)
        report("heartbeats", await heart.beats())
        report("requests", server.requests.count)
        Blocker.end.signal()
        let (data, _) = try await session.trackedData(from: url, manager: manager)
        report("afterwards", String(decoding: data, as: UTF8.self))
    }
}

/// A Swift task that is due every 10 ms, 400 times.
private struct Heart {
    private let task = Task {
        let start = SuspendingClock.now
        var beats = 0
        for number in 1...400 {
            let due = start + .milliseconds(number * 10)
            try? await Task.sleep(until: due, clock: .suspending)
            if due.duration(to: .now) < .milliseconds(250) { beats += 1 }
        }
        return beats
    }

    func beats() async -> Int { await task.value }
}
