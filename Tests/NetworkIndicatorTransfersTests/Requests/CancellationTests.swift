import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A cancelled call throws at once and makes no further request.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CancellationTests {
    let bench = Bench()

    /// Cancels a call after `reach` has returned. The server doesn't respond, and no time passes on the call's clock.
    private func cancel(
        _ url: URL, _ policy: TrackedRetryPolicy, once reach: (Bench, ManualTiming) async -> Void
    ) async throws {
        let clock = ManualTiming()
        let errors = Log<any Error>()
        let call = Task {
            do {
                _ = try await bench.data(url, policy.on(clock))
            } catch {
                errors.add(error)
            }
        }
        await reach(bench, clock)
        call.cancel()
        let start = ContinuousClock.now
        while errors.entries.isEmpty, start.duration(to: .now) < .seconds(50) { await Task.yield() }
        try #require(errors.entries.first is CancellationError)
        while bench.events.entries.last != .finished, start.duration(to: .now) < .seconds(50) { await Task.yield() }
        #expect(bench.events.entries.last == .finished)
        #expect(bench.manager.entryCount == 0)
        #expect(bench.notifications.entries.map(\.isStart) == [true, false])
        // A task that was not cancelled would still wait for the silent server.
        await bench.session.transport.allTasksEnded()
    }

    @Test func inFlight() async throws {
        let server = try LoopbackServer()
        let hits = Log<Bool>()
        server.on("/") { _ in
            hits.add(true)
            return .silence
        }
        try await cancel(server.url("/"), .standard) { _, _ in await hits.reached(1) }
        #expect(server.hits("/") == 1)
    }

    @Test func inBackoff() async throws {
        let server = try LoopbackServer()
        server.on("/", .reset)
        try await cancel(server.url("/"), .standard) { _, clock in await clock.sleepsBegun(1) }
        #expect(server.hits("/") == 1)
    }

    @Test func whileOffline() async throws {
        let server = try LoopbackServer()
        server.on("/", Response.generated(size: 1_000).cut(.close, after: 10))
        var policy = TrackedRetryPolicy.standard
        policy.connectivityMonitor = TestMonitor(isOffline: true)
        try await cancel(server.nonLoopbackURL("/"), policy) { bench, clock in
            await clock.sleepsBegun(1)
            #expect(bench.events.entries == [.started(1), .waiting(brokenBody.rawValue)])
        }
        #expect(server.hits("/") == 1)
    }

    @Test func beforeTheStart() async throws {
        let server = try LoopbackServer()
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

    /// The handler of the event that announces the start cancels the task.
    @Test func atTheStart() async throws {
        let server = try LoopbackServer()
        server.on("/", .silence)
        let call = Lock<Task<Void, any Error>?>(nil)
        let gate = Log<Bool>()
        let task = Task {
            await gate.reached(1)
            _ = try await bench.session.trackedData(from: server.url("/"), manager: bench.manager) { event in
                bench.onEvent(event)
                if case .started = event { call.withLock { $0 }?.cancel() }
            }
        }
        call.withLock { $0 = task }
        gate.add(true)
        #expect(await failure { try await task.value } is CancellationError)
        await bench.events.reached(2)
        #expect(bench.events.entries == [.started(1), .finished])
        #expect(bench.notifications.entries.map(\.isStart) == [true, false])
        #expect(server.hits("/") == 0)
    }

    /// The handler doesn't return. `progress` is reported on the delegate queue, and the others by the call.
    @Test(arguments: ["started", "progress", "willRetry", "finished"])
    func duringAnEvent(name: String) async throws {
        let server = try LoopbackServer()
        server.on("/", name == "willRetry" ? .reset : Response.generated(size: 100_000).cut(.stall, after: 50_000))
        let (events, ends, mayReturn) = (Log<String>(), Log<any Error>(), DispatchSemaphore(value: 0))
        let isBlocking = Lock(true)
        let call = Task {
            do {
                _ = try await bench.session.trackedData(from: server.url("/"), manager: bench.manager) { event in
                    let event = String("\(event)".prefix { $0 != "(" })
                    events.add(event)
                    let blocks = isBlocking.withLock { isBlocking in
                        defer { if event == name { isBlocking = false } }
                        return isBlocking && event == name
                    }
                    if blocks { mayReturn.wait() }
                }
            } catch {
                ends.add(error)
            }
        }
        let start = ContinuousClock.now
        if name == "finished" {
            while !events.entries.contains("progress") { await Task.yield() }
        } else {
            while !events.entries.contains(name) { await Task.yield() }
        }
        call.cancel()
        while ends.entries.isEmpty, start.duration(to: .now) < .seconds(50) { await Task.yield() }
        let count = events.entries.count
        mayReturn.signal()
        #expect(ends.entries.first is CancellationError)
        // Only the last event may come after the call.
        while events.entries.last != "finished", start.duration(to: .now) < .seconds(50) { await Task.yield() }
        #expect(events.entries.count <= count + 1 && events.entries.last == "finished")
    }

    @Test func aTaskThatOtherCodeCancels() async throws {
        let server = try LoopbackServer()
        server.on("/", .silence)
        let url = server.url("/")
        async let error = failure { try await bench.data(url, .standard) }
        // The request must be sent first. Before that, a cancellation can crash URLSession on Linux.
        let start = ContinuousClock.now
        while server.hits("/") == 0, start.duration(to: .now) < .seconds(60) { await Task.yield() }
        let task = await bench.session.transport.firstTask()
        task?.cancel()
        let typed = await error as? NetworkRequestError
        #expect(typed?.code == .cancelled)
        #expect(typed?.attempts == 1)
    }
}
