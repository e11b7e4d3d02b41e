import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTestKit
import TestSupport
import Testing

@testable import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `URLSessionTask.tracked()` on clocks that tests advance.
///
/// Servers outlive the tasks. If a connection closes while a task is being cancelled, URLSession on Linux traps
/// ("behaviour for a task that in not in the registry").
@MainActor
@Suite("tracked()", .serialized, .timeLimit(.minutes(10)))
struct TrackedTaskTests {
    private let scheduler = ManualScheduler()
    private let manager: NetworkIndicatorManager
    private let session = URLSession(configuration: .ephemeral)
    private let clock = ManualClock()
    private let parked: ParkedTasks

    init() {
        manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        parked = ParkedTasks(now: clock.now)
    }

    private func track(
        _ task: URLSessionTask, by other: NetworkIndicatorManager? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        task.tracked(
            by: other ?? manager, label: nil, origin: CallSite(fileID: fileID, line: line), parkedTasks: parked)
    }

    /// Advances both clocks, and checks parked tasks at each step.
    private func advance(by duration: Duration) {
        for _ in 0..<Int(duration / .milliseconds(50)) {
            clock.advance(by: .milliseconds(50))
            scheduler.advance(by: .milliseconds(50))
            parked.check()
        }
    }

    /// Makes a task whose response waits for the test. `asked` receives an entry when the request arrives.
    private func heldTask(
        _ server: LoopbackServer, until responses: DispatchSemaphore, asked: Log<Bool>, ended: Log<Bool>
    ) -> URLSessionTask {
        server.on("/") { _ in
            asked.add(true)
            responses.wait()
            return .text("Hello")
        }
        return session.dataTask(with: server.url("/")) { _, _, _ in ended.add(true) }
    }

    @Test("A task counts from tracked() on, while it runs, and not while it is suspended or after its end")
    func countsWhileItRuns() async throws {
        let server = try LoopbackServer()
        let (responses, asked, ended) = (DispatchSemaphore(value: 0), Log<Bool>(), Log<Bool>())
        defer { responses.signal() }
        let task = heldTask(server, until: responses, asked: asked, ended: ended)
        track(task)
        #expect(manager.activeTaskCount == 1)
        clock.advance(by: .milliseconds(50))
        #expect(manager.activeTaskCount == 0)
        #expect(parked.count == 1)

        task.resume()
        advance(by: .milliseconds(50))
        #expect(manager.activeTaskCount == 1)
        advance(by: .milliseconds(100))
        #expect(manager.isIndicatorVisible)
        #expect(parked.count == 0)

        // On Linux, URLSession traps if a task is suspended before its transfer has begun
        // (NativeProtocol.stopLoading()).
        await asked.reached(1)
        task.suspend()
        #expect(manager.activeTaskCount == 0)
        #expect(parked.count == 1)
        advance(by: .seconds(1))
        #expect(!manager.isIndicatorVisible)

        task.resume()
        advance(by: .milliseconds(100))
        #expect(manager.activeTaskCount == 1)
        #expect(parked.count == 0)

        task.cancel()
        #expect(manager.activeTaskCount == 0)
        advance(by: .milliseconds(50))
        #expect(parked.count == 0)
        await ended.reached(1)
    }

    @Test("A request that takes less than the show delay isn't shown", arguments: [55, 75, 95])
    func shortRequest(milliseconds: Int) async throws {
        let server = try LoopbackServer()
        let (responses, asked, ended) = (DispatchSemaphore(value: 0), Log<Bool>(), Log<Bool>())
        let indicator = RecordingIndicator()
        manager.attach(indicator)
        let task = heldTask(server, until: responses, asked: asked, ended: ended)
        track(task)
        task.resume()
        clock.advance(by: .milliseconds(milliseconds))
        scheduler.advance(by: .milliseconds(milliseconds))
        #expect(manager.activeTaskCount == 1)
        responses.signal()
        await ended.reached(1)
        try await completed(task)
        advance(by: .seconds(1))
        #expect(indicator.history.isEmpty)
        #expect(manager.activeTaskCount == 0)
    }

    /// Returns when the task has its final state, which is soon after its completion handler.
    private func completed(_ task: URLSessionTask) async throws {
        let start = ContinuousClock.now
        while task.state != .completed, start.duration(to: .now) < .seconds(60) { await Task.yield() }
        try #require(task.state == .completed)
    }

    @Test("A task that is never resumed isn't shown, and is checked at longer intervals until it is cancelled")
    func neverResumed() throws {
        let indicator = RecordingIndicator()
        manager.attach(indicator)
        let task = session.dataTask(with: try #require(URL(string: "http://127.0.0.1:1/")))
        track(task)
        advance(by: .seconds(10))
        #expect(indicator.history.isEmpty)
        #expect(try #require(parked.nextCheck) - clock.now() <= .milliseconds(50))
        advance(by: .milliseconds(200))
        #expect(try #require(parked.nextCheck) - clock.now() > .milliseconds(500))
        task.cancel()
        advance(by: .seconds(1))
        #expect(parked.count == 0)
        #expect(parked.nextCheck == nil)
    }

    @Test("Without a show delay, a task that isn't resumed is shown only until the first poll")
    func immediate() throws {
        manager.configuration = .immediate
        let task = session.dataTask(with: try #require(URL(string: "http://127.0.0.1:1/")))
        track(task)
        scheduler.advance(by: .zero)
        #expect(manager.isIndicatorVisible)
        clock.advance(by: .milliseconds(50))
        scheduler.advance(by: .milliseconds(50))
        #expect(!manager.isIndicatorVisible)
        task.cancel()
    }

    @Test("A query begins a task that was resumed since the last check")
    func queriesCheckSuspendedTasks() async throws {
        let server = try LoopbackServer()
        let (responses, asked, ended) = (DispatchSemaphore(value: 0), Log<Bool>(), Log<Bool>())
        let task = heldTask(server, until: responses, asked: asked, ended: ended)
        track(task)
        clock.advance(by: .milliseconds(60))
        scheduler.advance(by: .milliseconds(60))
        #expect(!manager.hasActiveTasks)
        task.resume()
        #expect(manager.hasActiveTasks)
        responses.signal()
        await ended.reached(1)
    }

    @Test("reset() forgets suspended tasks, too")
    func resetForgetsSuspendedTasks() async throws {
        let server = try LoopbackServer()
        let (responses, asked, ended) = (DispatchSemaphore(value: 0), Log<Bool>(), Log<Bool>())
        let other = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        let task = heldTask(server, until: responses, asked: asked, ended: ended)
        track(task)
        track(task, by: other)
        clock.advance(by: .milliseconds(60))
        #expect(manager.activeTaskCount + other.activeTaskCount == 0)
        manager.reset()
        task.resume()
        #expect(manager.activeTaskCount == 0)
        #expect(other.activeTaskCount == 1)
        responses.signal()
        await ended.reached(1)
    }

    @Test("A finished task that isn't deallocated doesn't count")
    func finishedButHeld() async throws {
        let server = try LoopbackServer()
        server.on("/", .text("Hello"))
        let ended = Log<Bool>()
        let task = session.dataTask(with: server.url("/")) { _, _, _ in ended.add(true) }
        track(task)
        task.resume()
        await ended.reached(1)
        try await completed(task)
        #expect(manager.activeTaskCount == 0)
        #expect(parked.count == 0)
    }

    @Test("Neither the task nor the manager is retained")
    func retainsNothing() async throws {
        let server = try LoopbackServer()
        let ended = Log<Bool>()
        var held: NetworkIndicatorManager? = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        weak var weakManager: NetworkIndicatorManager?
        weakManager = held
        let url = server.url("/")
        func makeTask() -> WeakTask {
            let task = session.dataTask(with: url) { _, _, _ in ended.add(true) }
            track(task)
            track(task, by: held)
            clock.advance(by: .milliseconds(50))
            #expect(manager.activeTaskCount == 0 && held?.activeTaskCount == 0)
            return WeakTask(task: task)
        }
        let weakly = makeTask()
        #expect(parked.count == 2)
        held = nil
        #expect(weakManager == nil)
        advance(by: .milliseconds(50))
        #expect(parked.count == 1)
        // The session holds its tasks until they end.
        weakly.task?.cancel()
        await ended.reached(1)
        let start = ContinuousClock.now
        while weakly.task != nil, start.duration(to: .now) < .seconds(60) { await Task.yield() }
        #expect(weakly.task == nil)
        advance(by: .milliseconds(50))
        #expect(parked.count == 0)
    }

    @Test("A task counts once for each manager, and tracking it again isn't misuse")
    func idempotent() throws {
        let other = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        let monitor = RecordingMonitor()
        manager.addMonitor(monitor)
        let task = session.dataTask(with: try #require(URL(string: "http://127.0.0.1:1/")))
        for _ in 1...3 {
            track(task)
            track(task, by: other)
            #expect(manager.activeTaskCount == 1)
            #expect(other.activeTaskCount == 1)
        }
        clock.advance(by: .milliseconds(50))
        for _ in 1...2 { #expect(manager.activeTaskCount == 0 && other.activeTaskCount == 0) }
        #expect(parked.count == 2)
        track(task)
        #expect(manager.activeTaskCount == 1)
        #expect(monitor.misuses.isEmpty)
        task.cancel()
    }

    @Test("Diagnostics name the method, the URL without credentials, and the line of the call")
    func diagnostics() throws {
        let url = try #require(URL(string: "http://user:secret@host.invalid/path?query"))
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        let tasks = [session.dataTask(with: url), session.dataTask(with: request), session.dataTask(with: url)]
        // The monitor keeps the events even if a slow machine takes so long that the tasks no longer count.
        let monitor = RecordingMonitor()
        manager.addMonitor(monitor)
        tasks[0].tracked(by: manager)
        let line: UInt = #line - 1
        tasks[1].tracked(by: manager)
        tasks[2].tracked(by: manager, label: "Sync", fileID: "App/Sync.swift", line: 12)
        let infos = monitor.events.compactMap { if case .began(let info) = $0 { info } else { nil } }
        #expect(
            infos.map(\.label) == ["GET http://host.invalid/path", "PUT http://host.invalid/path", "Sync"])
        let file = "NetworkIndicatorURLSessionTests/TrackedTaskTests.swift"
        #expect(infos.map(\.fileID) == [file, file, "App/Sync.swift"])
        #expect(infos.map(\.line) == [line, line + 2, 12])
        for task in tasks { task.cancel() }
    }

    @Test("file: and data: URLs are not tracked", arguments: ["data:,x", "file:///etc/hosts"])
    func noNetworkUse(address: String) throws {
        let task = session.dataTask(with: try #require(URL(string: address)))
        track(task)
        #expect(manager.activeTaskCount == 0)
        task.cancel()
    }

    @Test(arguments: [("data:,x", false), ("FILE:///etc/hosts", false), ("http://h/", true), ("x", true)])
    func isNetworkUse(address: String, isNetworkUse: Bool) throws {
        #expect(try #require(URL(string: address)).isNetworkUse == isNetworkUse)
    }
}
