import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTestKit
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.serialized, .timeLimit(.minutes(10)))
struct TrackedRetryPolicyTests {
    private let bench = Bench()
    private let clock = TestClock()
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test func refusedTwiceThenAccepted() async throws {
        let server = try LoopbackServer(isListening: false)
        server.on("/", .text("Hello"))
        let response = try await bench.data(URLRequest("GET", server.url("/")), .standard.unhurried) { event in
            if case .willRetry(3, _, _) = event { try? server.startListening() }
            if case .started = event { #expect(bench.manager.entryCount == 1) }
            if case .willRetry = event { #expect(bench.manager.entryCount == 0) }
        }
        #expect(response.status == 200)
        #expect(
            bench.events.entries == [
                .started(1), .willRetry(2, -1004), .started(2), .willRetry(3, -1004), .started(3), .finished,
            ])
        #expect(bench.notifications.entries.map(\.isStart) == [true, false, true, false, true, false])
        #expect(bench.notifications.entries.map(\.attempt) == [1, 1, 2, 2, 3, 3])
        #expect(Set(bench.notifications.entries.map(\.id)).count == 1)
        let codes = bench.notifications.entries.map { ($0.error as? URLError)?.code.rawValue }
        #expect(codes == [nil, -1004, nil, -1004, nil, nil])
    }

    @Test(arguments: [Response.Cut.reset, .close], [0, 50_000, nil]) func aBrokenResponse(
        end: Response.Cut, position: Int?
    ) async throws {
        let file = Response.generated(size: 100_000)
        let inBody = position.map { [file.cut(end, after: $0), file.chunked().cut(end, after: $0)] }
        for (number, broken) in (inBody ?? [end == .reset ? .reset : .close]).enumerated() {
            server.on("/\(number)", broken, file, broken)
            let data = try await bench.data(server.url("/\(number)"), .standard.unhurried).data
            #expect(Array(data) == Body.generated(size: 100_000, seed: 1).bytes(in: 0..<100_000))
            let error = await failure { try await bench.data(server.url("/\(number)"), .standard.unhurried) }
            // libcurl repeats a request if a reused connection is reset, so the server may receive additional requests.
            #expect((error as? NetworkRequestError)?.attemptCount == 3 && server.hits("/\(number)") >= 5)
        }
    }

    @Test func aSilentServerTimesOutThreeTimes() async throws {
        server.on("/", .silence)
        let request = URLRequest("GET", server.url("/"), timeout: 1.9)
        let start = ContinuousClock.now
        let error = await failure { try await bench.data(request, .standard.unhurried) } as? NetworkRequestError
        #expect(error?.code == .timedOut && error?.attemptCount == 3 && error?.url == server.url("/"))
        #expect(error?.description.contains("3 attempts") == true && server.hits("/") == 3)
        #if canImport(FoundationNetworking)
        #expect(error?.description.contains("within 1.9 s") == true)
        #expect(start.duration(to: .now) > .milliseconds(5_500))
        #endif
    }

    @Test func aSlowServerDoesNotTimeOut() async throws {
        server.on("/", .bytes(Array(repeating: 7, count: 16)).dripping(1, every: .milliseconds(250)))
        let response = try await bench.data(URLRequest("GET", server.url("/"), timeout: 3), .standard.unhurried)
        #expect(response.data.count == 16)
        #expect(bench.events.entries == [.started(1), .finished])
    }

    @Test(arguments: [404, 503]) func aStatusThatIsNotAccepted(status: Int) async throws {
        server.on("/", .status(status))
        server.on("/x", .status(404), .text("Hello"))
        var policy = TrackedRetryPolicy.retryingServerErrors.unhurried
        policy.acceptedStatusCodes = Set(200..<300)
        let error = await failure { [policy] in try await bench.data(server.url("/"), policy) } as? NetworkRequestError
        #expect(error?.response?.statusCode == status && error?.code == .badServerResponse)
        #expect(error?.attemptCount == (status == 404 ? 1 : 3) && error?.attemptCount == server.hits("/"))
        #expect(error?.description.hasPrefix("\(status) ") == true && error?.url == server.url("/"))
        policy.acceptedStatusCodes?.insert(404)
        for expected in [404, 200] { #expect(try await bench.data(server.url("/x"), policy).status == expected) }
    }

    // MARK: Waits for a network

    private func policy(_ monitor: any ConnectivityMonitor, timeout: Duration? = .seconds(300)) -> TrackedRetryPolicy {
        var policy = TrackedRetryPolicy.standard.on(clock)
        policy.connectivityMonitor = monitor
        policy.connectivityTimeout = timeout
        return policy
    }

    @Test func offlineThenOnline() async throws {
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
        server.on("/", response, .text("Hello"))
        server.on("/lost", .reset)
        var policy = policy(ManualConnectivityMonitor.offline)
        policy.clock = TestClock(skipsSleeps: true)
        #expect(try await bench.data(server.nonLoopbackURL("/"), policy).status == 200)
        #expect(bench.events.entries == [.started(1), .willRetry(2, code.rawValue), .started(2), .finished])
    }

    @Test func expiryTellsTheTimeOffline() async throws {
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
