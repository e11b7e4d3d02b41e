import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

@MainActor
@Suite(.timeLimit(.minutes(10)))
final class ExaminationTests: IndicatorSuite {
    final class Work: Sendable {
        private let state = Lock(true)
        var isUnderWay: Bool { state.withLock { $0 } }
        func end() { state.withLock { $0 = false } }
    }

    // MARK: Queries

    @Test func aQueryChangesNothing() {
        let monitor = RecordingMonitor()
        manager.attach(monitor: monitor)
        let (ended, finished, asking) = (Work(), Work(), Work())
        ended.end()
        manager.beganNetworkTask(withToken: ended, label: "ended") { $0.isUnderWay }
        manager.beganNetworkTask(withToken: finished, label: "finished") { _ in true }
        manager.beganNetworkTask(withToken: asking, label: "asking") { [manager] _ in
            manager.finishedNetworkTask(forToken: finished)
            return true
        }
        do {
            let dropped = Token()
            manager.beganNetworkTask(withToken: dropped, label: "dropped")
        }
        #expect(manager.activeTasks.map(\.label) == ["asking"])
        #expect(manager.entryCount == 3)
        #expect(monitor.log.suffix(from: 4) == ["ended finished finished"])
    }

    // MARK: Nested run loops

    @Test func tokenReleasedByAnIndicatorEndsInItsNestedLoop() {
        let token = Lock<Token?>(Token())
        manager.beganNetworkTask(withToken: token.withLock { $0! })
        let (manager, scheduler) = (manager, scheduler)
        let counts = Lock<[Int]>([])
        manager.attach { isVisible in
            guard isVisible else { return }
            withExtendedLifetime(token.withLock { $0.take() }) {}
            scheduler.advance(by: .seconds(5))
            counts.withLock { $0.append(manager.entryCount) }
        }
        scheduler.advance(by: .milliseconds(100))
        #expect(counts.withLock { $0 } == [0])
    }

    @Test func anObjectMayRunANestedLoopInItsDeinit() {
        final class LoopingToken: Sendable {
            let scheduler: ManualScheduler
            init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }
            deinit { MainActor.assumeIsolated { [scheduler] in scheduler.advance(by: .seconds(5)) } }
        }
        manager.updateConfiguration { $0 = .immediate }
        let token = Lock<LoopingToken?>(LoopingToken(scheduler))
        manager.beganNetworkTask(withToken: token.withLock { $0! }) { _ in
            withExtendedLifetime(token.withLock { $0.take() }) { true }
        }
        settle()
        #expect(!indicator.isVisible && !manager.isIndicatorVisible)
        #expect(manager.entryCount == 0 && scheduler.timerCount == 0)
    }

    @Test func nestedLoopOfAMonitorKeepsTheOrderOfValues() {
        let (manager, scheduler) = (manager, scheduler)
        manager.attach(
            monitor: TextMonitor { line in
                guard line.hasSuffix("indicator on") else { return }
                manager.decrementActivityCount()
                MainActor.assumeIsolated { scheduler.advance(by: .seconds(1)) }
            })
        manager.incrementActivityCount()
        scheduler.advance(by: .seconds(5))
        #expect(!manager.isIndicatorVisible)
        #expect(indicator.history == [true, false])
    }

    // MARK: Conditions

    @Test func contextOfAConditionIsReleasedOutsideTheLock() {
        final class Context: Sendable {
            let manager: NetworkIndicatorManager
            let isReleasedUnlocked: Lock<Bool>
            init(_ manager: NetworkIndicatorManager, _ isReleasedUnlocked: Lock<Bool>) {
                self.manager = manager
                self.isReleasedUnlocked = isReleasedUnlocked
            }
            deinit {
                isReleasedUnlocked.withLock { $0 = manager.isUnlocked }
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
        #expect(!contexts.contains { $0.withLock { $0 } })
        settle()
        #expect(contexts.allSatisfy { $0.withLock { $0 } })
    }

    @Test func manyRemovedConditionsAreReleasedBeforeThePoll() {
        let (kept, work) = (Work(), Work())
        var screen: Work? = Work()
        let isReleased = { [weak screen] in screen == nil }
        manager.beganNetworkTask(withToken: kept)
        scheduler.advance(by: .milliseconds(1_010))
        manager.beganNetworkTask(withToken: work) { [screen] _ in withExtendedLifetime(screen) { true } }
        screen = nil
        for _ in 0..<100 { manager.beganNetworkTask(withToken: work) { _ in true } }
        settle()
        #expect(isReleased())
    }

    @Test(arguments: [false, true], [false, true])
    func aConditionThatBeginsATaskIsNotCalledWithoutEnd(isQuery: Bool, beginsItsOwn: Bool) {
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
        if isQuery { _ = manager.activeTaskCount } else { scheduler.advance(by: .seconds(1)) }
        #expect(calls.withLock { (1...50).contains($0) })
        #expect(manager.entryCount == 1)
    }

    @Test func aTaskThatAConditionBeginsCountsUntilTheNextPoll() {
        let (first, second) = (Work(), Work())
        manager.updateConfiguration { $0 = .immediate }
        manager.beganNetworkTask(withToken: first) { [manager] _ in
            manager.beganNetworkTask(withToken: second) { _ in false }
            return false
        }
        scheduler.advance(by: .seconds(1))
        #expect(indicator.history == [true, false] && manager.entryCount == 0)
    }

    @Test func conditionMayQueryTheManager() {
        let works = [Work(), Work()]
        let results = Lock<[Int]>([])
        let manager = manager
        for work in works {
            manager.beganNetworkTask(withToken: work) { work in
                let count = (manager.activeTaskCount, manager.activeTasks.count)
                results.withLock { $0 += [count.0, count.1] }
                return work.isUnderWay
            }
        }
        #expect(manager.activeTaskCount == 2)
        #expect(results.withLock { $0 } == Array(repeating: 2, count: 4))
        for work in works { work.end() }
        scheduler.advance(by: .seconds(1))
        #expect(manager.entryCount == 0)
    }
}
