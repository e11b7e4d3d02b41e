import Foundation
import LoopbackServer
import NetworkIndicator
import Testing

@testable import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `URLSessionTask.tracked(by:)`, on a clock that stands still: the task is looked at when time is moved on.
@Suite(.timeLimit(.minutes(10)))
struct TrackedTaskTests {
    let manager = NetworkIndicatorManager(configuration: .immediate)
    let session = URLSession(configuration: .default)
    let clock = ManualTiming()

    /// Returns when the server has got this many requests, or a minute is over.
    ///
    /// On Linux URLSession traps when a task is suspended whose transfer has not begun (in `NativeProtocol.stopLoading()`).
    private func requests(_ count: Int, _ server: LoopbackServer) async {
        let start = ContinuousClock.now
        while server.hits("/") < count, start.duration(to: .now) < .seconds(60) { await Task.yield() }
        #expect(server.hits("/") == count)
    }

    /// Lets the watch look at the task once more.
    private func look() async {
        let count = clock.sleeps.count
        clock.advance(by: .seconds(1))
        await clock.sleepsBegun(count + 1)
    }

    @Test func aTaskIsTrackedWhileItRuns() async throws {
        let server = try LoopbackServer()
        server.on("/", .silence)
        let task = session.dataTask(with: server.url("/")) { _, _, _ in }
        #expect(task.tracked(by: manager, timing: clock.timing) === task)
        await clock.sleepsBegun(1)
        #expect(!manager.hasActiveTasks)

        task.resume()
        await look()
        #expect(manager.activeTaskCount == 1)

        await requests(1, server)
        task.suspend()
        await look()
        #expect(!manager.hasActiveTasks)
        // (Resuming and cancelling it now are races in URLSession on Linux, which traps.)
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

    /// Now and then, on a busy machine with Linux, a task of URLSession's stays as it is though its answer has been read: then
    /// it runs for whoever asks, and another one is tried.
    @Test func aFinishedTaskThatIsHeldIsNotTracked() async throws {
        let server = try LoopbackServer()
        server.on("/", .text("Hello").delayed(by: .milliseconds(500)))
        for _ in 1...5 {
            let (manager, clock) = (NetworkIndicatorManager(configuration: .immediate), ManualTiming())
            let task = session.dataTask(with: server.url("/")) { _, _, _ in }
            task.tracked(by: manager, timing: clock.timing)
            await clock.sleepsBegun(1)
            task.resume()
            clock.advance(by: .seconds(1))
            await clock.sleepsBegun(2)
            #expect(manager.activeTaskCount == 1)
            let start = ContinuousClock.now
            while task.state != .completed, start.duration(to: .now) < .seconds(15) { await Task.yield() }
            guard task.state == .completed else { continue }
            // The watch has one look after another, until one finds that the task has ended.
            while manager.hasActiveTasks, start.duration(to: .now) < .seconds(60) {
                clock.advance(by: .seconds(1))
                await Task.yield()
            }
            #expect(!manager.hasActiveTasks)
            withExtendedLifetime(task) {}
            return
        }
        Issue.record("no task has ended")
    }

    @Test func theTaskIsNotRetained() async throws {
        let server = try LoopbackServer()
        server.on("/", .text("Hello"))
        let ended = Log<Bool>()
        let weakly = WeakTask(
            task: session.dataTask(with: server.url("/")) { _, _, _ in ended.add(true) }
                .tracked(by: manager, timing: clock.timing))
        weakly.task?.resume()
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
        let visibility = manager.visibilityUpdates
        let task = session.dataTask(with: server.url("/")) { _, _, _ in }
        task.tracked(by: manager).resume()
        var history: [Bool] = []
        for await isVisible in visibility {
            history.append(isVisible)
            if isVisible { task.cancel() }
            if history.count == 3 { break }
        }
        #expect(history == [false, true, false])
    }

    @Test(arguments: ["data:,x", "file:///etc/hosts"])
    func whatIsNoNetworkUseIsNotTracked(address: String) async throws {
        let task = session.dataTask(with: try #require(URL(string: address))) { _, _, _ in }
        task.tracked(by: manager, timing: clock.timing)
        #expect(clock.sleeps.isEmpty)
        task.cancel()
    }
}
