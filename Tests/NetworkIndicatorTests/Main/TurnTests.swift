import NetworkIndicatorTestKit
import Observation
import Testing

@testable import NetworkIndicator

@MainActor
@Suite(.timeLimit(.minutes(10)))
final class TurnTests: ManagerSuite {
    final class Work: Sendable {}

    @Test func aDisabledManagerDetectsManyDeallocationsWithinOneInterval() {
        manager.isEnabled = false
        var works = (0..<4096).map { _ in Work() }
        for work in works { manager.beganNetworkTask(withToken: work) }
        scheduler.advance(by: .seconds(20))
        works = []
        scheduler.advance(by: .seconds(1))
        #expect(manager.entryCount == 0)
        #expect(scheduler.timerCount == 0)
    }

    @Test(arguments: ["isEnabled", "configuration", "attach"])
    func aConditionThatRepeatsASettingIsNotCalledWithoutEnd(setting: String) {
        let (manager, indicator, work) = (manager, RecordingIndicator(), Work())
        let calls = Lock(0)
        manager.attach(indicator)
        manager.beganNetworkTask(withToken: work) { _ in
            let count = calls.withLock { calls in
                calls += 1
                return calls
            }
            guard count < 1000 else { return true }
            switch setting {
            case "isEnabled": manager.isEnabled = true
            case "configuration": manager.updateConfiguration { $0.showDelay = .zero }
            default: manager.attach(indicator)
            }
            return true
        }
        settle()
        #expect(calls.withLock { $0 } < 10)
    }

    @Test func aSlowConditionDoesNotPostponeAnEndThatTheCallerTold() {
        manager.updateConfiguration { $0.hideDelay = .milliseconds(300) }
        let (manager, scheduler, work) = (manager, scheduler, Work())
        let isSlow = Lock(false)
        manager.beganNetworkTask(withToken: work) { work in
            if isSlow.withLock({ $0 }) {
                manager.finishedNetworkTask(forToken: work)
                scheduler.stall(for: .seconds(2))
            }
            return true
        }
        settle()
        #expect(manager.isIndicatorVisible)
        isSlow.withLock { $0 = true }
        scheduler.advance(by: .milliseconds(50))
        #expect(!manager.isIndicatorVisible)
    }

    /// Finishing a task removes it before its end is recorded, so a turn may run in between.
    @Test func aTurnBeforeTheLastEndIsRecordedDoesNotShow() throws {
        let start = Timestamp(scheduler.now)
        let origin = CallSite(fileID: #fileID, line: #line)
        var state = ManagerState(configuration: .standard, at: start)
        let works = [Work(), Work()]
        for work in works {
            let task = state.tasks.makeRecord(label: nil, tokenType: Work.self, origin: origin, at: start)
            _ = state.begin(work, task, reportsMisuse: true, while: nil)
        }
        let end = start + .milliseconds(150)
        _ = state.finish(works[0], origin: origin, reportsMisuse: true)
        _ = state.countBusyTime(since: start, until: end)
        _ = state.finish(works[1], origin: origin, reportsMisuse: true)
        let early = try #require(state.beginTurn(at: end).1)
        #expect(early.change == nil)
        _ = state.countBusyTime(since: start, until: end)
        let late = try #require(state.beginTurn(at: end).1)
        #expect(late.change == nil)
        #expect(state.isIdle)
    }

    /// Another thread may begin a task before the end is recorded.
    @Test func aResetDoesNotCountIdleTime() {
        var state = ManagerState(configuration: .standard, at: Timestamp(scheduler.now))
        #expect(state.reset() == nil)
    }

    @Test(arguments: ["deinit", "observer"])
    func foreignCodeDoesNotHoldUpEvents(code: String) throws {
        let (manager, monitor, seen) = (manager, RecordingMonitor(), Lock<[[String]]>([]))
        manager.attach(monitor: monitor)
        let check: @Sendable () -> Void = {
            manager.withNetworkTask(label: "B") {}
            seen.withLock { $0.append(monitor.log) }
        }
        let held = Lock<EndingToken?>(nil)
        let isOver = Lock(false)
        var token: EndingToken? = EndingToken(code == "deinit" ? check : nil)
        held.withLock { $0 = token }
        manager.beganNetworkTask(withToken: token!, label: "A") { _ in
            guard isOver.withLock({ $0 }) else { return true }
            let released = held.withLock { $0.take() }
            withExtendedLifetime(released) {}
            return false
        }
        token = nil
        settle()
        #expect(manager.isIndicatorVisible)
        if code == "observer" {
            withObservationTracking {
                _ = manager.isIndicatorVisible
            } onChange: {
                check()
            }
        }
        isOver.withLock { $0 = true }
        scheduler.advance(by: .milliseconds(50))
        let log = try #require(seen.withLock { $0.first })
        #expect(log.contains("ended A finished") && log.contains("began B") && log.contains("ended B finished"))
    }

    private final class EndingToken: Sendable {
        private let end: (@Sendable () -> Void)?
        init(_ end: (@Sendable () -> Void)?) { self.end = end }
        deinit { end?() }
    }

    @Test func aTurnDuringAFinishKeepsTheBusyTime() {
        let interrupting = InterruptingScheduler(scheduler)
        let manager = NetworkIndicatorManager(configuration: .standard, scheduler: interrupting)
        let first = manager.beganNetworkTask()
        scheduler.advance(by: .milliseconds(90))
        interrupting.interruption.withLock { $0 = { MainActor.assumeIsolated { manager.tracker.turn() } } }
        first.finish()
        #expect(interrupting.interruption.withLock { $0 == nil })
        scheduler.advance(by: .milliseconds(30))
        let second = manager.beganNetworkTask()
        scheduler.advance(by: .milliseconds(10))
        #expect(manager.isIndicatorVisible)
        second.finish()
    }

    /// The turn during the finish finds no task and schedules nothing, so the next task must request another turn.
    @Test(arguments: [false, true])
    func aTaskThatBeginsDuringAFinishIsShown(isWeak: Bool) {
        let interrupting = InterruptingScheduler(scheduler)
        let manager = NetworkIndicatorManager(configuration: .standard, scheduler: interrupting)
        let first = manager.beganNetworkTask()
        settle()
        let work = Work()
        let second = Lock<NetworkTaskToken?>(nil)
        interrupting.interruption.withLock {
            $0 = {
                MainActor.assumeIsolated { manager.tracker.turn() }
                if isWeak {
                    manager.beganNetworkTask(withToken: work)
                } else {
                    second.withLock { $0 = manager.beganNetworkTask() }
                }
            }
        }
        first.finish()
        scheduler.advance(by: .seconds(60))
        #expect(manager.isIndicatorVisible)
        second.withLock { $0 }?.finish()
        manager.finishedNetworkTask(forToken: work)
    }
}

private final class InterruptingScheduler: ActivityScheduler {
    let interruption = Lock<(@Sendable () -> Void)?>(nil)
    private let base: ManualScheduler

    init(_ base: ManualScheduler) { self.base = base }

    var now: SuspendingClock.Instant {
        interruption.withLock { $0.take() }?()
        return base.now
    }

    func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) { base.performOnMain(work) }

    func schedule(
        at deadline: SuspendingClock.Instant, repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer { base.schedule(at: deadline, repeatingEvery: interval, work) }
}
