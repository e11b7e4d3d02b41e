import Foundation
import NetworkIndicator
import NetworkIndicatorTestKit
import TestSupport
import Testing

@testable import NetworkIndicatorURLSession

@MainActor
@Suite struct ParkedTasksTests {
    let scheduler = ManualScheduler()
    let manager: NetworkIndicatorManager
    let origin = CallSite(fileID: #fileID, line: #line)
    var parked: ParkedTasks { manager.parkedTasks }

    init() {
        manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
    }

    func parkedTask() -> StubTask {
        let task = StubTask.make()
        task.tracked(by: manager)
        advance(by: 50)
        #expect(manager.activeTaskCount == 0)
        return task
    }

    func advance(by milliseconds: Int) { scheduler.advance(by: .milliseconds(milliseconds)) }

    // MARK: Suspended tasks

    @Test func aTaskCountsWhileItRuns() {
        let task = StubTask.make()
        task.tracked(by: manager)
        #expect(manager.activeTaskCount == 1)
        advance(by: 50)
        #expect(manager.activeTaskCount == 0)
        task.set(.running)
        advance(by: 50)
        #expect(manager.activeTaskCount == 1)
        task.receive()
        advance(by: 100)
        #expect(manager.activeTaskCount == 1 && manager.isIndicatorVisible)
        task.set(.suspended)
        #expect(manager.activeTaskCount == 0)
        advance(by: 1000)
        #expect(!manager.isIndicatorVisible)
        task.set(.running)
        #expect(manager.activeTaskCount > 0)
        task.set(.canceling)
        #expect(manager.activeTaskCount == 0)
        advance(by: 1000)
        #expect(scheduler.timerCount == 0)
    }

    @Test(arguments: [55, 75, 95]) func aShortRequestIsNotShown(milliseconds: Int) {
        let indicator = RecordingIndicator()
        manager.attach(indicator)
        let task = StubTask.make()
        task.tracked(by: manager)
        task.set(.running)
        advance(by: milliseconds)
        #expect(manager.activeTaskCount == 1)
        task.set(.completed)
        advance(by: 1000)
        #expect(!indicator.history.contains(true))
    }

    @Test func tasksThatAreNeverResumedShareATimerAndAreCheckedLessOften() {
        let indicator = RecordingIndicator()
        manager.attach(indicator)
        let tasks = (0..<200).map { _ in StubTask.make() }
        for task in tasks { task.tracked(by: manager) }
        let task = parkedTask()
        #expect(scheduler.timerCount == 1)
        advance(by: 10_000)
        let reads = task.reads
        #expect((199...210).contains(reads), "\(reads)")
        advance(by: 60_000)
        #expect((59...62).contains(task.reads - reads), "\(task.reads - reads)")
        for task in tasks + [task] { task.set(.canceling) }
        advance(by: 1000)
        #expect(scheduler.timerCount == 0)
        #expect(!indicator.history.contains(true))
    }

    /// Otherwise, the check of the earlier task would park the task again, with the earlier label.
    @Test func aPausedTaskIsTrackedAgain() {
        let task = StubTask.make()
        task.set(.running)
        task.receive()
        for label in ["old", "new"] {
            parked.track(task, label: label, origin: origin, isInBackground: true)
            task.set(.suspended)
        }
        advance(by: 1000)
        task.set(.running)
        #expect(manager.activeTasks.map(\.label) == ["new"])
    }

    @Test func aChangedIntervalAppliesToParkedTasks() {
        manager.completionCheckInterval = .seconds(3600)
        let task = parkedTask()
        advance(by: 20_000)
        task.set(.running)
        advance(by: 2000)
        #expect(!manager.isIndicatorVisible)
        manager.completionCheckInterval = .seconds(1)
        advance(by: 1150)
        #expect(manager.isIndicatorVisible)
    }

    // MARK: Ends

    @Test func aTaskCountsOnceForEachManagerUntilAReset() {
        let other = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        let monitor = RecordingMonitor()
        manager.attach(monitor: monitor)
        let task = StubTask.make()
        for _ in 1...3 { task.tracked(by: manager).tracked(by: other) }
        #expect(manager.activeTaskCount == 1 && other.activeTaskCount == 1)
        advance(by: 50)
        #expect(manager.activeTaskCount == 0 && other.activeTaskCount == 0)
        manager.reset()
        task.set(.running)
        advance(by: 100)
        #expect(manager.activeTaskCount == 0 && other.activeTaskCount == 1)
        task.tracked(by: manager)
        #expect(manager.activeTaskCount == 1 && monitor.misuses.isEmpty)
    }

    @Test(arguments: [false, true]) func aTaskIsNotParkedAfterAReset(beginsFirst: Bool) {
        let (task, token) = (StubTask.make(), StubTask.make())
        if beginsFirst { task.tracked(by: manager) }
        manager.beganNetworkTask(withToken: token) { [weak manager] _ in
            manager?.reset()
            return true
        }
        if !beginsFirst { task.tracked(by: manager) }
        scheduler.stall(for: .milliseconds(60))
        _ = manager.activeTasks
        task.set(.running)
        advance(by: 1000)
        #expect(manager.activeTaskCount == 0)
    }

    @Test func neitherTheTaskNorTheManagerIsRetained() {
        var held: NetworkIndicatorManager? = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        var task: StubTask? = parkedTask()
        // The compiler warns about weak variables that aren't set after their declaration.
        weak var other: NetworkIndicatorManager?
        weak var released: StubTask?
        (other, released) = (held, task)
        task?.tracked(by: held ?? manager)
        advance(by: 50)
        #expect(other?.activeTaskCount == 0)
        held = nil
        #expect(other == nil)
        task = nil
        #expect(released == nil)
        advance(by: 50)
        #expect(scheduler.timerCount == 0)
    }

    @Test func manyThreads() async throws {
        let manager = NetworkIndicatorManager(configuration: .immediate)
        let (tasks, origin) = ((0..<50).map { _ in StubTask.make() }, origin)
        await Task.detached {
            DispatchQueue.concurrentPerform(iterations: 4) { number in
                var generator = SeededGenerator(seed: UInt64(number))
                for _ in 0..<2000 {
                    let task = tasks.randomElement(using: &generator)!
                    switch Int.random(in: 0..<20, using: &generator) {
                    case 0: manager.reset()
                    case 1: manager.parkedTasks.pathWasFound()
                    case 2: manager.completionCheckInterval = .milliseconds(.random(in: 10...1000, using: &generator))
                    case 3...4: manager.parkedTasks.noteWaiting(task, label: nil, origin: origin)
                    case 5...6: manager.parkedTasks.end(task, origin: origin)
                    case 7...12: task.tracked(by: manager)
                    case 13...15: task.set(.running)
                    default: task.set(.suspended)
                    }
                }
            }
        }.value
        for task in tasks {
            task.set(.running)
            task.tracked(by: manager)
        }
        #expect(manager.activeTaskCount == 50)
        for task in tasks { task.set(.suspended) }
        try await manager.waitUntilIdle()
        for task in tasks { task.set(.running) }
        #expect(manager.activeTaskCount == 50)
        for task in tasks { manager.parkedTasks.end(task, origin: origin) }
        #expect(manager.activeTaskCount == 0)
    }
}
