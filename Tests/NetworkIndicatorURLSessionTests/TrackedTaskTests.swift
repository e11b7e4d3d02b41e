import Foundation
import LoopbackServer
import NetworkIndicator
import Testing

@testable import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `URLSessionTask.tracked(by:)`, on a clock that stands still: the task is looked at when time is moved on.
///
/// Servers outlive the tasks: on Linux URLSession traps when a connection closes while a task is being cancelled
/// ("behaviour for a task that in not in the registry").
@Suite(.timeLimit(.minutes(10)))
struct TrackedTaskTests {
    let manager = NetworkIndicatorManager(configuration: .immediate)
    let session = URLSession(configuration: .default)
    let clock = ManualTiming()

    /// Lets the watch look at the task once more.
    private func look() async {
        let count = clock.sleeps.count
        clock.advance(by: .seconds(1))
        await clock.sleepsBegun(count + 1)
    }

    /// A server that answers when the test says so: a task must not end before the watch has seen it run.
    private func server(answering answers: DispatchSemaphore, asked: Log<Bool>) throws -> LoopbackServer {
        let server = try LoopbackServer()
        server.on("/") { _ in
            asked.add(true)
            answers.wait()
            return .text("Hello")
        }
        return server
    }

    @Test func aTaskIsTrackedWhileItRuns() async throws {
        let (answers, asked, ended) = (DispatchSemaphore(value: 0), Log<Bool>(), Log<Bool>())
        defer { answers.signal() }
        let server = try server(answering: answers, asked: asked)
        let task = session.dataTask(with: server.url("/")) { _, _, _ in ended.add(true) }
        #expect(task.tracked(by: manager, timing: clock.timing) === task)
        await clock.sleepsBegun(1)
        #expect(!manager.hasActiveTasks)

        task.resume()
        await look()
        #expect(manager.activeTaskCount == 1)

        // On Linux URLSession traps when a task is suspended whose transfer has not begun (NativeProtocol.stopLoading()).
        await asked.reached(1)
        task.suspend()
        await look()
        #expect(!manager.hasActiveTasks)

        task.resume()
        await look()
        #expect(manager.activeTaskCount == 1)

        task.cancel()
        clock.advance(by: .seconds(1))
        try await manager.waitUntilIdle()
        await ended.reached(1)
    }

    @Test func aTaskThatIsNeverResumedIsNotTracked() async throws {
        let server = try LoopbackServer()
        let task = session.dataTask(with: server.url("/")) { _, _, _ in }
        task.tracked(by: manager, timing: clock.timing)
        await clock.sleepsBegun(1)
        for _ in 1...10 {
            await look()
            #expect(!manager.hasActiveTasks)
        }
        // Less and less often, down to the manager's interval.
        #expect(clock.sleeps.map { $0.timeInterval } == [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1, 1, 1, 1])
        task.cancel()
    }

    @Test func aFinishedTaskThatIsHeldIsNotTracked() async throws {
        let (answers, asked, ended) = (DispatchSemaphore(value: 0), Log<Bool>(), Log<Bool>())
        defer { answers.signal() }
        let server = try server(answering: answers, asked: asked)
        let task = session.dataTask(with: server.url("/")) { _, _, _ in ended.add(true) }
        task.tracked(by: manager, timing: clock.timing)
        await clock.sleepsBegun(1)
        task.resume()
        await look()
        #expect(manager.activeTaskCount == 1)

        answers.signal()
        await ended.reached(1)
        let start = ContinuousClock.now
        while task.state != .completed, start.duration(to: .now) < .seconds(60) { await Task.yield() }
        clock.advance(by: .seconds(1))
        try await manager.waitUntilIdle()
        #expect(task.state == .completed)
    }

    @Test func theTaskIsNotRetained() async throws {
        let (answers, asked, ended) = (DispatchSemaphore(value: 0), Log<Bool>(), Log<Bool>())
        defer { answers.signal() }
        let server = try server(answering: answers, asked: asked)
        let weakly = WeakTask(
            task: session.dataTask(with: server.url("/")) { _, _, _ in ended.add(true) }
                .tracked(by: manager, timing: clock.timing))
        await clock.sleepsBegun(1)
        weakly.task?.resume()
        await look()
        #expect(manager.activeTaskCount == 1)

        answers.signal()
        await ended.reached(1)
        let start = ContinuousClock.now
        while weakly.task != nil, start.duration(to: .now) < .seconds(60) { await Task.yield() }
        #expect(weakly.task == nil)
        clock.advance(by: .seconds(1))
        try await manager.waitUntilIdle()
    }

    @Test func theClockOfRealPrograms() async throws {
        let server = try LoopbackServer()
        server.on("/", .silence)
        let ended = Log<Bool>()
        let visibility = manager.visibilityUpdates
        let task = session.dataTask(with: server.url("/")) { _, _, _ in ended.add(true) }
        task.tracked(by: manager).resume()
        var history: [Bool] = []
        for await isVisible in visibility {
            history.append(isVisible)
            if isVisible { task.cancel() }
            if history.count == 3 { break }
        }
        #expect(history == [false, true, false])
        await ended.reached(1)
    }

    @Test func theManagerIsNotRetained() async throws {
        var manager: NetworkIndicatorManager? = NetworkIndicatorManager(configuration: .immediate)
        weak let weakly = manager
        let task = session.dataTask(with: try #require(URL(string: "http://127.0.0.1:1/"))) { _, _, _ in }
        task.tracked(by: try #require(manager), timing: clock.timing)
        await clock.sleepsBegun(1)
        manager = nil
        #expect(weakly == nil)
        task.cancel()
    }

    @Test(arguments: [("data:,x", false), ("FILE:///etc/hosts", false), ("http://h/", true), ("x", true)])
    func whatIsNoNetworkUse(address: String, isNetworkUse: Bool) throws {
        #expect(try #require(URL(string: address)).isNetworkUse == isNetworkUse)
    }
}
