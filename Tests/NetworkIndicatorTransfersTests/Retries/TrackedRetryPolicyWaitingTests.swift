import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTestKit
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.serialized, .timeLimit(.minutes(10)))
struct TrackedRetryPolicyWaitingTests {
    let bench = Bench()
    let clock = TestClock()

    private func policy(_ monitor: any ConnectivityMonitor, timeout: Duration? = .seconds(300)) -> TrackedRetryPolicy {
        var policy = TrackedRetryPolicy.standard.on(clock)
        policy.connectivityMonitor = monitor
        policy.connectivityTimeout = timeout
        return policy
    }

    @Test func offlineThenOnline() async throws {
        let server = try LoopbackServer()
        let monitor = ManualConnectivityMonitor.offline
        server.on("/", .reset, .text("Hello"))
        let url = server.nonLoopbackURL("/")
        async let response = bench.data(url, policy(monitor))
        await clock.sleepsBegun(1)
        #expect(bench.manager.entryCount == 0)
        monitor.goOnline()
        // One sleep is the limit of this wait, 1 s. The other is the minimum pause, 100 ms.
        await clock.sleepsBegun(2)
        clock.advance(by: .milliseconds(100))
        #expect(try await response.status == 200)
        #expect(bench.events.entries == [.started(1), .waiting(-1005), .started(2), .finished])
    }

    @Test(arguments: [
        (Response.generated(size: 1_000).cut(.close, after: 10), URLError.Code.networkConnectionLost),
        (.redirect(to: "/lost"), .networkConnectionLost),
    ])
    func aHostThatRespondsIsNotOffline(response: Response, code: URLError.Code) async throws {
        let server = try LoopbackServer()
        server.on("/", response, .text("Hello"))
        server.on("/lost", .reset)
        var policy = policy(ManualConnectivityMonitor.offline)
        policy.clock = TestClock(skipsSleeps: true)
        #expect(try await bench.data(server.nonLoopbackURL("/"), policy).status == 200)
        #expect(bench.events.entries == [.started(1), .willRetry(2, code.rawValue), .started(2), .finished])
    }

    @Test func expiryGivesTheOriginalError() async throws {
        let server = try LoopbackServer()
        server.on("/", .reset)
        var policy = policy(StuckMonitor(), timeout: .seconds(5))
        let clock = TestClock(skipsSleeps: true)
        policy.clock = clock
        let error = await failure { try await bench.data(server.nonLoopbackURL("/"), policy) }
        let typed = try #require(error as? NetworkRequestError)
        #expect(typed.code == .networkConnectionLost)
        #expect(typed.attemptCount > 1 && typed.attemptCount == server.hits("/"))
        #expect(clock.sleeps.reduce(.zero, +) == .seconds(5) && typed.offlineTime == .seconds(5))
        #expect(typed.description.contains("offline for 5 s"), "\(typed)")
    }

    @Test func aMonitorThatReturnsAtOnceCausesNoBusyLoop() async throws {
        let server = try LoopbackServer()
        server.on("/", .reset)
        let call = Task { [policy = policy(ImmediateMonitor())] in
            try await bench.data(server.nonLoopbackURL("/"), policy)
        }
        await clock.sleepsBegun(2)
        #expect(clock.sleeps.sorted() == [.milliseconds(100), .seconds(1)])
        #expect(server.hits("/") == 1)
        call.cancel()
        #expect(await failure { try await call.value } is CancellationError)
    }
}

/// Never ends a wait, and ignores cancellations.
private final class StuckMonitor: ConnectivityMonitor {
    var isOffline: Bool { true }
    func waitForChange() async { await Task { try? await Signal().wait() }.value }
}

private final class ImmediateMonitor: ConnectivityMonitor {
    var isOffline: Bool { true }
    func waitForChange() async {}
}

extension ManualConnectivityMonitor {
    static var offline: ManualConnectivityMonitor {
        let monitor = ManualConnectivityMonitor()
        monitor.goOffline()
        return monitor
    }
}

extension LoopbackServer {
    /// The address `0.0.0.0` reaches this machine, but doesn't count as a loopback address.
    func nonLoopbackURL(_ path: String) -> URL { URL(string: "http://0.0.0.0:\(port)\(path)")! }
}
