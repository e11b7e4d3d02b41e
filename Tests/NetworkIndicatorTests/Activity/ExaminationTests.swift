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

    // MARK: Rounds

    /// A round examines at most 2,048 tasks, so this examination takes several rounds.
    @Test func oneLiveTaskAmongFalseConditionsIsShown() {
        let works = (0..<5000).map { _ in Work() }
        for work in works { manager.beganNetworkTask(withToken: work) { $0.isUnderWay } }
        for (index, work) in works.enumerated() where index != 2700 { work.end() }
        scheduler.advance(by: .milliseconds(100))
        #expect(manager.isIndicatorVisible)
        #expect(manager.activeTaskCount == 1)
        works[2700].end()
        #expect(!manager.hasActiveTasks)
    }

    @Test(arguments: [NetworkIndicatorManager.Configuration.standard, .immediate])
    func manyObjectsDeallocatedBeforeTheShowDelayNeverFlash(configuration: NetworkIndicatorManager.Configuration) {
        manager.configuration = configuration
        settle()
        var tokens = (0..<5_000).map { _ in Token() }
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        if configuration == .standard { scheduler.advance(by: .milliseconds(99)) }
        tokens = []
        scheduler.advance(by: .seconds(1))
        #expect(indicator.history == [])
        #expect(manager.entryCount == 0)
    }

    @Test(arguments: [false, true]) func loadedTokensAreReleasedLast(isEveryTask: Bool) {
        final class Holder: NetworkTaskMonitor {
            final class Held: Sendable {
                let log: Lock<[String]>
                init(_ log: Lock<[String]>) { self.log = log }
                deinit { log.withLock { $0.append("deinit") } }
            }
            let log = Lock<[String]>([])
            let held = Lock<Held?>(nil)
            func networkIndicator(_ event: NetworkTaskEvent) {
                guard case .ended = event else { return }
                withExtendedLifetime(held.withLock { $0.take() }) {}
                log.withLock { $0.append("notified") }
            }
        }
        let holder = Holder()
        do {
            let (dead, held) = (Token(), Holder.Held(holder.log))
            manager.beganNetworkTask(withToken: dead)
            manager.beganNetworkTask(withToken: held)
            holder.held.withLock { $0 = held }
        }
        manager.attach(holder)
        if isEveryTask { _ = manager.activeTaskCount } else { _ = manager.hasActiveTasks }
        #expect(holder.log.withLock { $0.first } == "notified")
        #expect(holder.log.withLock { $0.last } == "deinit")
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

    @Test func nestedLoopOfATokenKeepsTheOrderOfValues() {
        final class LoopingToken: Sendable {
            let scheduler: ManualScheduler
            init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }
            deinit { MainActor.assumeIsolated { [scheduler] in scheduler.advance(by: .seconds(5)) } }
        }
        manager.configuration = .immediate
        let token = Lock<LoopingToken?>(LoopingToken(scheduler))
        manager.beganNetworkTask(withToken: token.withLock { $0! }) { _ in
            withExtendedLifetime(token.withLock { $0.take() }) { true }
        }
        scheduler.advance(by: .seconds(5))
        #expect(!manager.isIndicatorVisible)
        #expect(indicator.history == [true, false])
        #expect(scheduler.timerCount == 0)
    }

    @Test func nestedLoopOfAMonitorKeepsTheOrderOfValues() {
        struct NestedLoop: NetworkTaskMonitor {
            let run: @MainActor @Sendable () -> Void
            func networkIndicator(_ event: NetworkTaskEvent) {
                if case .visibilityChanged(true) = event { MainActor.assumeIsolated { run() } }
            }
        }
        let (manager, scheduler) = (manager, scheduler)
        manager.attach(
            NestedLoop {
                manager.decrementActivityCount()
                scheduler.advance(by: .seconds(1))
            })
        manager.incrementActivityCount()
        scheduler.advance(by: .seconds(5))
        #expect(!manager.isIndicatorVisible)
        #expect(indicator.history == [true, false])
    }

    // MARK: Conditions

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

    @Test func aBeginReplacesAFalseCondition() {
        let (work, monitor) = (Work(), RecordingMonitor())
        manager.attach(monitor)
        manager.beganNetworkTask(withToken: work, label: "first") { _ in false }
        manager.beganNetworkTask(withToken: work, label: "second") { _ in true }
        #expect(manager.activeTasks.map(\.label) == ["second"])
        manager.beganNetworkTask(withToken: work, label: "third")
        scheduler.advance(by: .seconds(10))
        #expect(manager.activeTasks.map(\.label) == ["third"])
        manager.finishedNetworkTask(forToken: work)
        let events = ["misuse alreadyBegan", "misuse alreadyBegan", "visible true", "ended third finished"]
        #expect(monitor.log == ["began first"] + events)
    }

    @Test func conditionsRunOutsideTheLock() {
        let (work, manager) = (Work(), manager)
        let results = Lock<[Bool]>([])
        manager.beganNetworkTask(withToken: work) { _ in
            results.withLock { $0.append(manager.isUnlocked) }
            return true
        }
        scheduler.advance(by: .seconds(1))
        #expect(manager.hasActiveTasks)
        #expect(manager.activeTasks.count == 1)
        let all = results.withLock { $0 }
        #expect(all.count >= 4)
        #expect(all.allSatisfy { $0 })
    }

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
        #expect(contexts.allSatisfy { $0.withLock { $0 } })
    }

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

    enum Examination: CaseIterable {
        case turn, query, queryOfEveryTask
    }

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
