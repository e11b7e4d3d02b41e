import Foundation
import LoopbackServer
import NetworkIndicator
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

        // With as many blocking calls as the thread pool has threads, no Swift task would run.
        let count = ProcessInfo.processInfo.processorCount + 1
        let calls = (0..<count).map { _ in
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
        report("cancelled", cancelled == count)
        report("requests", server.requests.count)
        Blocker.end.signal()
        let (data, _) = try await session.trackedData(from: url, manager: manager)
        report("afterwards", String(decoding: data, as: UTF8.self))
    }
}
