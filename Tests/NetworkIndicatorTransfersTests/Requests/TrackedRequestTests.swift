import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTestKit
import NetworkIndicatorURLSession
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.serialized, .timeLimit(.minutes(10)))
struct TrackedRequestTests {
    private let bench = Bench()
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test func localURLsAreNotTracked() async throws {
        let url = try #require(URL(string: "data:text/plain,hello"))
        let data = try await bench.session.trackedData(from: url, manager: bench.manager) { event in
            if case .started = event { #expect(bench.manager.entryCount == 0) }
        }.0
        #expect(data == Data("hello".utf8) && bench.notifications.entries.isEmpty)
    }

    @Test(arguments: [
        (0.5, 0.5), (0.01, 0.01), (0, 60), (-1, 60), (TimeInterval.infinity, 1e9), (1e30, 1e9), (.nan, 60),
    ])
    func timeoutsAreUsable(timeout: TimeInterval, expected: TimeInterval) throws {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = timeout
        let url = try #require(URL(string: "http://h/"))
        let ofRequest = URLRequest("GET", url, timeout: timeout).applying(.default)
        #expect(ofRequest.timeoutInterval == expected)
        #expect(URLRequest(url: url).applying(configuration).timeoutInterval == expected)
    }

    #if canImport(FoundationNetworking)
    @Test(arguments: [
        ("file:///nowhere", "cannot read /nowhere: No such file or directory"),
        ("file:///etc", "cannot read /etc: Is a directory"),
        ("http://me:secret@127.0.0.1/", "http://127.0.0.1/ is not the URL of a file"),
    ])
    func anUploadOfAFileThatCannotBeRead(address: String, reason: String) async throws {
        let file = try #require(URL(string: address))
        let error = await failure {
            try await bench.session.trackedUpload(
                for: URLRequest("PUT", server.url("/")), fromFile: file, manager: bench.manager)
        }
        let typed = try #require(error as? NetworkRequestError)
        #expect(typed.code == .cannotOpenFile)
        #expect(typed.attemptCount == 1)
        #expect(typed.underlyingError.localizedDescription == reason)
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test func aBackgroundSessionMakesNoAttempt() async throws {
        let bench = Bench { $0.identifier = "uploads" }
        let error = await failure { try await bench.data(server.url("/"), .standard) } as? NetworkRequestError
        #expect(error?.attemptCount == 0 && error?.description.contains("“uploads” is a background session") == true)
        #expect(server.requests.isEmpty)
        #expect(bench.events.entries == [.finished])
    }
    #endif

    @Test func aCallInATrackedSession() async throws {
        server.on("/", .reset, .reset, .text("Hello"))
        let (manager, begun, waiting) = (bench.manager, Log<String?>(), Log<Int>())
        manager.attach(
            monitor: TextMonitor { line in if line.contains("began") { begun.add(line) } })
        let session = URLSession.tracked(configuration: .ephemeral, manager: manager)
        let (data, _) = try await session.trackedData(
            from: server.url("/"), policy: .standard.unhurried, manager: manager
        ) { event in
            if case .willRetry = event { waiting.add(manager.entryCount) }
        }
        #expect(data == Data("Hello".utf8))
        #expect(waiting.entries == [0, 0])
        let file = try await session.trackedDownload(for: URLRequest(url: server.url("/")), manager: manager).0
        try FileManager.default.removeItem(at: file)
        _ = try await withoutTracking { try await session.trackedData(from: server.url("/"), manager: manager) }
        try await manager.waitUntilIdle()
        #expect(begun.entries.count == 4)
        session.finishTasksAndInvalidate()
    }

    // MARK: Cancellations

    @Test(arguments: ["in flight", "in the back-off", "offline"]) func aCancellation(state: String) async throws {
        server.on("/", state == "in flight" ? .silence : .reset)
        let clock = TestClock()
        var policy = TrackedRetryPolicy.standard.on(clock)
        if state == "offline" { policy.connectivityMonitor = ManualConnectivityMonitor.offline }
        let call = Task { [policy] in try await bench.data(server.nonLoopbackURL("/"), policy) }
        if state == "in flight" {
            while server.hits("/") == 0 { await Task.yield() }
        } else {
            await clock.sleepsBegun(1)
        }
        call.cancel()
        #expect(await failure { try await call.value } is CancellationError)
        while bench.events.entries.last != .finished { await Task.yield() }
        #expect(bench.events.entries.count == (state == "in flight" ? 2 : 3))
        #expect(bench.manager.entryCount == 0 && server.hits("/") == 1)
        #expect(bench.notifications.entries.map(\.isStart) == [true, false])
        await server.connectionsEnded()
    }

    @Test func beforeTheStart() async throws {
        server.on("/", .text("Hello"))
        let gate = Log<Bool>()
        let call = Task {
            await gate.reached(1)
            return try await bench.data(server.url("/"), .standard)
        }
        call.cancel()
        gate.add(true)
        #expect(await failure { try await call.value } is CancellationError)
        await bench.events.reached(1)
        #expect(bench.events.entries == [.finished])
        #expect(bench.notifications.entries.isEmpty)
        #expect(server.hits("/") == 0)
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test(arguments: ["started", "progress", "willRetry", "finished"])
    func duringAnEvent(name: String) async throws {
        server.on("/", name == "willRetry" ? .reset : Response.generated(size: 100_000).cut(.stall, after: 50_000))
        let (events, ends, mayReturn) = (Log<String>(), Log<any Error>(), DispatchSemaphore(value: 0))
        let call = Task {
            do {
                _ = try await bench.session.trackedData(from: server.url("/"), manager: bench.manager) { event in
                    let event = Mirror(reflecting: event).children.first?.label ?? "finished"
                    events.add(event)
                    if event == name { mayReturn.wait() }
                }
            } catch {
                ends.add(error)
            }
        }
        let start = ContinuousClock.now
        let reached = name == "finished" ? "progress" : name
        while !events.entries.contains(reached) { await Task.yield() }
        call.cancel()
        while ends.entries.isEmpty, start.duration(to: .now) < .seconds(50) { await Task.yield() }
        for _ in 0..<1_000 { mayReturn.signal() }
        #expect(ends.entries.first is CancellationError)
        while events.entries.last != "finished", start.duration(to: .now) < .seconds(50) { await Task.yield() }
        #expect(events.entries.last == "finished")
        if name == "started" { #expect(server.hits("/") == 0) }
    }
}
