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
        struct NestedLoop: NetworkTaskMonitor {
            let run: @MainActor @Sendable () -> Void
            func receive(_ event: NetworkTaskEvent) {
                if case .visibilityChanged(true) = event { MainActor.assumeIsolated { run() } }
            }
        }
        let (manager, scheduler) = (manager, scheduler)
        manager.attach(
            monitor: NestedLoop {
                manager.decrementActivityCount()
                scheduler.advance(by: .seconds(1))
            })
        manager.incrementActivityCount()
        scheduler.advance(by: .seconds(5))
        #expect(!manager.isIndicatorVisible)
        #expect(indicator.history == [true, false])
    }
}
