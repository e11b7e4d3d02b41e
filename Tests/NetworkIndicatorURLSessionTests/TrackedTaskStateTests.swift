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

/// Labels of tracked tasks, and tasks that wait for a network.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TrackedTaskStateTests {
    private let manager = NetworkIndicatorManager(configuration: .standard, scheduler: ManualScheduler())
    private let session = URLSession(configuration: .ephemeral)
    private let clock = ManualClock()
    private let parked: ParkedTasks
    private let server: LoopbackServer

    init() throws {
        parked = ParkedTasks(now: clock.now)
        server = try LoopbackServer()
        server.on("/", .silence)
    }

    /// Returns a task that was parked because it wasn't resumed.
    private func parkedTask() -> URLSessionTask {
        let task = session.dataTask(with: server.url("/")) { _, _, _ in }
        task.tracked(by: manager, label: nil, origin: CallSite(fileID: #fileID, line: #line), parkedTasks: parked)
        clock.advance(by: .milliseconds(60))
        #expect(manager.activeTaskCount == 0 && parked.count == 1)
        return task
    }

    private func check() {
        clock.advance(by: .milliseconds(50))
        parked.check()
    }

    @Test func aLabelReplacesThatOfTheSession() {
        let session = URLSession.tracked(configuration: .ephemeral, manager: manager)
        let task = session.dataTask(with: server.url("/")) { _, _, _ in }
        task.tracked(by: manager, label: "Sync")
        #expect(manager.activeTasks.map(\.label) == ["Sync"])
        task.tracked(by: manager)
        #expect(manager.activeTasks.map(\.label) == ["Sync"])
        task.cancel()
    }

    /// A query examines a task earlier than the timer would.
    @Test func aShorterIntervalSetsTheTimerAgain() {
        let delays = Lock<[Duration?]>([])
        let parked = ParkedTasks(now: clock.now) { delay in delays.withLock { $0.append(delay) } }
        let task = session.dataTask(with: server.url("/")) { _, _, _ in }
        let activity = TaskActivity(
            manager: manager, label: nil, origin: CallSite(fileID: #fileID, line: #line), parkedTasks: parked)
        manager.completionCheckInterval = .seconds(100)
        parked.park(task, activity)
        #expect(delays.withLock { $0 } == [.milliseconds(50)])
        clock.advance(by: .seconds(11))
        parked.check()
        #expect(delays.withLock { $0 }.dropFirst() == [nil, .seconds(100)])
        manager.completionCheckInterval = .milliseconds(50)
        #expect(!manager.hasActiveTasks)
        #expect(delays.withLock { $0 }.last == .milliseconds(50))
        task.cancel()
    }

    @Test func aTaskThatWaitsForANetworkDoesNotCount() async {
        let asked = Log<Bool>()
        server.on("/") { _ in
            asked.add(true)
            return .silence
        }
        let task = parkedTask()
        task.resume()
        // The server ends with this test. URLSession on Linux traps if the task fails while it is being cancelled.
        await asked.reached(1)
        check()
        #expect(manager.activeTaskCount == 1)
        let activity = TaskActivity(
            manager: manager, label: nil, origin: CallSite(fileID: #fileID, line: #line), parkedTasks: parked)
        activity.wait(task)
        check()
        #expect(manager.activeTaskCount == 0 && parked.count == 1)
        task.cancel()
    }
}
