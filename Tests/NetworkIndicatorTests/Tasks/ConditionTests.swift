import Foundation
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

/// Tasks that last as long as a condition is true.
@MainActor
@Suite(.timeLimit(.minutes(10)))
final class ConditionTests: IndicatorSuite {
    /// An object that outlives its work.
    final class Work: Sendable {
        private let state = Lock(true)
        var isUnderWay: Bool { state.withLock { $0 } }
        func end() { state.withLock { $0 = false } }
    }

    @Test func finishedOperationInAnArrayTurnsTheIndicatorOff() {
        let operations = [BlockOperation {}]
        manager.beganNetworkTask(withToken: operations[0]) { !$0.isFinished }
        scheduler.advance(by: .seconds(2))
        #expect(manager.isIndicatorVisible)
        operations[0].start()
        scheduler.advance(by: .seconds(1) + .milliseconds(300))
        #expect(indicator.history == [true, false])
        #expect(scheduler.timerCount == 0)
    }

    @Test func conditionThatIsFalseAfter50MillisecondsNeverFlashes() {
        let work = Work()
        manager.beganNetworkTask(withToken: work) { $0.isUnderWay }
        scheduler.advance(by: .milliseconds(50))
        work.end()
        scheduler.advance(by: .seconds(10))
        #expect(indicator.history == [])
    }

    @Test func oneLiveTaskAmongFalseConditionsIsShown() {
        let works = (0..<2000).map { _ in Work() }
        for work in works { manager.beganNetworkTask(withToken: work) { $0.isUnderWay } }
        for (index, work) in works.enumerated() where index != 700 { work.end() }
        scheduler.advance(by: .milliseconds(100))
        #expect(manager.isIndicatorVisible)
        #expect(manager.activeTaskCount == 1)
        works[700].end()
        #expect(!manager.hasActiveTasks)
    }

    @Test func queriesCallConditions() {
        let work = Work()
        manager.beganNetworkTask(withToken: work, label: "work") { $0.isUnderWay }
        #expect(manager.activeTasks.map(\.label) == ["work"])
        work.end()
        #expect(manager.entryCount == 1)
        #expect(manager.activeTasks.isEmpty)
        #expect(manager.entryCount == 0)
    }

    @Test func monitorsReceiveTheEnd() {
        let monitor = RecordingMonitor()
        manager.attach(monitor)
        let (kept, work) = (Work(), Work())
        manager.beganNetworkTask(withToken: work, label: "work") { $0.isUnderWay }
        manager.beganNetworkTask(withToken: kept, label: "kept")
        scheduler.advance(by: .milliseconds(100))
        work.end()
        scheduler.advance(by: .seconds(1))
        #expect(monitor.log == ["began work", "began kept", "visible true", "ended work finished"])
        #expect(monitor.misuses.isEmpty)
    }

    /// No poll has found that the first condition is false.
    @Test func aBeginReplacesAFalseCondition() {
        let (work, monitor) = (Work(), RecordingMonitor())
        manager.attach(monitor)
        manager.beganNetworkTask(withToken: work, label: "first") { _ in false }
        manager.beganNetworkTask(withToken: work, label: "second") { _ in true }
        #expect(manager.activeTasks.map(\.label) == ["second"])
        manager.beganNetworkTask(withToken: work, label: "third")
        scheduler.advance(by: .seconds(10))
        #expect(manager.activeTasks.map(\.label) == ["third"])
        #expect(monitor.log.filter { $0 != "misuse alreadyBegan" } == ["began first", "visible true"])
    }

    @Test func endedTokenCanBeginAgain() {
        let work = Work()
        let isPaused = Lock(true)
        func begin() { manager.beganNetworkTask(withToken: work) { _ in !isPaused.withLock { $0 } } }
        begin()
        #expect(!manager.hasActiveTasks)
        isPaused.withLock { $0 = false }
        begin()
        #expect(manager.hasActiveTasks)
    }

    @Test func conditionIsNotCalledForADeallocatedObject() {
        let calls = Lock(0)
        func beginAndRelease() {
            manager.beganNetworkTask(withToken: Work()) { _ in
                calls.withLock { $0 += 1 }
                return true
            }
        }
        beginAndRelease()
        #expect(manager.activeTasks.isEmpty)
        beginAndRelease()
        scheduler.advance(by: .seconds(5))
        #expect(manager.entryCount == 0)
        #expect(calls.withLock { $0 } == 0)
    }

    @Test func conditionsRunOutsideTheLock() {
        let (work, tracker) = (Work(), manager.tracker)
        let results = Lock<[Bool]>([])
        manager.beganNetworkTask(withToken: work) { _ in
            let isUnlocked = tracker.state.withLockIfAvailable { _ in true } ?? false
            results.withLock { $0.append(isUnlocked) }
            return true
        }
        scheduler.advance(by: .seconds(1))
        #expect(manager.hasActiveTasks)
        #expect(manager.activeTasks.count == 1)
        let all = results.withLock { $0 }
        #expect(all.count >= 4)
        #expect(all.allSatisfy { $0 })
    }

    /// The condition is foreign code, which may call any method of the manager.
    @Test func conditionMayCallTheManager() {
        let (work, manager) = (Work(), manager)
        manager.beganNetworkTask(withToken: work) { work in
            _ = manager.isIndicatorVisible
            manager.beganNetworkTask(label: "nested").finish()
            manager.finishedNetworkTask(forToken: work)
            return false
        }
        scheduler.advance(by: .seconds(3))
        #expect(manager.entryCount == 0)
        #expect(indicator.history == [])
    }

    /// A task that a condition begins and finishes is none after the query.
    @Test func taskOfAConditionIsNotActive() {
        let (work, manager) = (Work(), manager)
        manager.beganNetworkTask(withToken: work) { _ in
            manager.beganNetworkTask().finish()
            return false
        }
        #expect(!manager.hasActiveTasks)
    }

    /// Releasing the condition's context may also run foreign code: a `deinit` that calls the manager.
    @Test func contextOfAConditionIsReleasedOutsideTheLock() {
        final class Context: Sendable {
            let manager: NetworkIndicatorManager
            let isReleasedUnlocked: Lock<Bool>
            init(_ manager: NetworkIndicatorManager, _ isReleasedUnlocked: Lock<Bool>) {
                self.manager = manager
                self.isReleasedUnlocked = isReleasedUnlocked
            }
            deinit {
                let isUnlocked = manager.tracker.state.withLockIfAvailable { _ in true } ?? false
                isReleasedUnlocked.withLock { $0 = isUnlocked }
            }
        }
        func begin(_ work: Work) -> Lock<Bool> {
            let isReleased = Lock(false)
            let context = Context(manager, isReleased)
            manager.beganNetworkTask(withToken: work) { work in withExtendedLifetime(context) { work.isUnderWay } }
            return isReleased
        }
        let (finished, over, reset) = (Work(), Work(), Work())
        let contexts = [finished, over, reset].map { begin($0) }
        manager.finishedNetworkTask(forToken: finished)
        over.end()
        #expect(manager.activeTaskCount == 1)
        manager.reset()
        #expect(contexts.allSatisfy { $0.withLock { $0 } })
    }

    /// A condition may release the last reference to its object, and to others.
    @Test func conditionMayDropTheLastReference() {
        let holder = Lock<[Work]>([])
        let manager = manager
        func begin() {
            let work = Work()
            holder.withLock { $0.append(work) }
            manager.beganNetworkTask(withToken: work) { _ in
                let released = holder.withLock { works in
                    defer { works = [] }
                    return works
                }
                withExtendedLifetime(released) {}
                return true
            }
        }
        for _ in 0..<3 { begin() }
        #expect(manager.hasActiveTasks)
        #expect(!manager.hasActiveTasks)
    }

    /// The token begins again while its condition is being asked, and the result is still `false`.
    @Test(arguments: [false, true]) func beginDuringAConditionIsNotLost(isQuery: Bool) {
        let work = Work()
        let isAskedFirst = Lock(true)
        let manager = manager
        @Sendable func begin() {
            manager.beganNetworkTask(withToken: work) { _ in
                let isFirst = isAskedFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if isFirst { begin() }
                return !isFirst
            }
        }
        begin()
        if isQuery { _ = manager.hasActiveTasks } else { scheduler.advance(by: .zero) }
        #expect(isAskedFirst.withLock { !$0 })
        #expect(manager.entryCount == 1)
        scheduler.advance(by: .seconds(1))
        #expect(indicator.history == [true])
    }

    @Test func anotherBeginReplacesTheLabelAndTheCondition() {
        let (work, monitor) = (Work(), RecordingMonitor())
        manager.attach(monitor)
        manager.beganNetworkTask(withToken: work, label: "old") { _ in false }
        manager.beganNetworkTask(withToken: work, label: "new") { _ in true }
        #expect(manager.activeTasks.map(\.label) == ["new"])
        manager.finishedNetworkTask(forToken: work)
        #expect(monitor.log == ["began old", "misuse alreadyBegan", "ended new finished"])
    }

    enum Examination: CaseIterable {
        case turn, query, queryOfEveryTask
    }

    /// The condition ends its task, begins another one, and returns `false` each time.
    @Test(arguments: Examination.allCases, [false, true])
    func aConditionThatBeginsATaskIsNotCalledWithoutEnd(examination: Examination, beginsItsOwn: Bool) {
        let works = Lock([Work()])
        let calls = Lock(0)
        let manager = manager
        @Sendable func begin(_ work: Work) {
            manager.beganNetworkTask(withToken: work) { work in
                let isEndless = calls.withLock { calls in
                    calls += 1
                    return calls > 1000
                }
                if isEndless { return true }
                manager.finishedNetworkTask(forToken: work)
                let next = beginsItsOwn ? work : Work()
                works.withLock { $0.append(next) }
                begin(next)
                return false
            }
        }
        begin(works.withLock { $0[0] })
        switch examination {
        case .turn: scheduler.advance(by: .seconds(1))
        case .query: #expect(manager.hasActiveTasks)
        case .queryOfEveryTask: #expect(manager.activeTaskCount == 1)
        }
        #expect(calls.withLock { (1...50).contains($0) })
        #expect(manager.entryCount == 1)
    }

    /// Queries in a condition count every loaded object as live.
    @Test func conditionMayQueryTheManager() {
        let works = [Work(), Work()]
        let results = Lock<[Int]>([])
        let manager = manager
        for work in works {
            manager.beganNetworkTask(withToken: work) { work in
                let count = (manager.activeTaskCount, manager.activeTasks.count, manager.hasActiveTasks ? 2 : 0)
                results.withLock { $0 += [count.0, count.1, count.2] }
                return work.isUnderWay
            }
        }
        #expect(manager.activeTaskCount == 2)
        #expect(results.withLock { $0 } == Array(repeating: 2, count: 6))
        for work in works { work.end() }
        scheduler.advance(by: .seconds(1))
        #expect(manager.entryCount == 0)
    }
}
