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

    // MARK: Batches

    /// A batch has at most 1,024 tasks, so this examination takes several batches.
    @Test func oneLiveTaskAmongFalseConditionsIsShown() {
        let works = (0..<5000).map { _ in Work() }
        for work in works { manager.beganNetworkTask(withToken: work) { $0.isUnderWay } }
        for (index, work) in works.enumerated() where index != 2700 { work.end() }
        scheduler.advance(by: .milliseconds(100))
        #expect(manager.isIndicatorVisible)
        #expect(manager.activeTaskCount == 1)
        works[2700].end()
        #expect(manager.activeTaskCount == 0)
    }

    @Test(arguments: [NetworkIndicatorManager.Configuration.standard, .immediate])
    func manyObjectsDeallocatedBeforeTheShowDelayNeverFlash(configuration: NetworkIndicatorManager.Configuration) {
        manager.updateConfiguration { $0 = configuration }
        settle()
        var tokens = (0..<5_000).map { _ in Token() }
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        if configuration == .standard { scheduler.advance(by: .milliseconds(99)) }
        tokens = []
        scheduler.advance(by: .seconds(1))
        #expect(indicator.history == [])
        #expect(manager.entryCount == 0)
    }

    // MARK: Captured objects

    /// Tracks its socket and an operation, whose condition captures the screen.
    private final class Screen: Sendable {
        let socket = Token()
        let operation = Work()

        @MainActor
        func load(_ manager: NetworkIndicatorManager) {
            manager.beganNetworkTask(withToken: socket)
            manager.beganNetworkTask(withToken: operation) { _ in self.operation.isUnderWay }
        }
    }

    @Test func theConditionOfAnEndedTaskRetainsNothing() {
        weak var socket: Token?
        do {
            let screen = Screen()
            socket = screen.socket
            screen.load(manager)
            scheduler.advance(by: .seconds(10))
            screen.operation.end()
        }
        scheduler.advance(by: .seconds(1))
        #expect(socket == nil)
        scheduler.advance(by: .seconds(2))
        #expect(indicator.history == [true, false])
        #expect(scheduler.timerCount == 0)
    }

    /// The condition of the ended operation is the last owner of the socket.
    @Test func anObjectThatOnlyAnEndedTaskRetainsCountsUntilTheNextPoll() {
        do {
            let screen = Screen()
            screen.load(manager)
            screen.operation.end()
        }
        scheduler.stall(for: .milliseconds(400))
        settle()
        #expect(indicator.history == [true] && manager.activeTaskCount == 0)
        scheduler.advance(by: .milliseconds(350))
        #expect(indicator.history == [true, false])
        #expect(scheduler.timerCount == 0)
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
