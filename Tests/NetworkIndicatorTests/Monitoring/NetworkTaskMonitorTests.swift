import Foundation
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

@MainActor
@Suite(.timeLimit(.minutes(10)))
final class NetworkTaskMonitorTests: ManagerSuite {
    let monitor = RecordingMonitor()

    init() {
        super.init()
        manager.attach(monitor: monitor)
        settle()
    }

    @Test func everyKindOfTaskBeginsAndEnds() async {
        var object: Token? = Token()
        manager.beganNetworkTask(withToken: object!, label: "A")
        let token = manager.beganNetworkTask(label: "B")
        manager.incrementActivityCount()
        scheduler.advance(by: .zero)
        manager.decrementActivityCount()
        token.finish()
        object = nil
        scheduler.advance(by: .seconds(1))
        await manager.withNetworkTask(label: "C") { await Task.yield() }
        #expect(
            monitor.log == [
                "began A", "began B", "began activity count", "visible true", "ended activity count finished",
                "ended B finished", "ended A deallocated", "visible false", "began C", "ended C finished",
            ])
    }

    @Test func misuseNamesTheCallAndTheRemedy() throws {
        let object = Token()
        manager.finishedNetworkTask(forToken: object, line: 1)
        manager.beganNetworkTask(withToken: object, line: 2)
        manager.beganNetworkTask(withToken: object, line: 3)
        #expect(monitor.misuses.map(\.kind) == [.unknownToken, .alreadyBegan])
        #expect(monitor.misuses.map(\.line) == [1, 3])
        let text = try #require(monitor.misuses.first).description
        #expect(text.hasPrefix("NetworkIndicatorTests/NetworkTaskMonitorTests.swift:1: ") && text.contains("(Token)"))
    }

    @Test func everyPollReportsEveryEnd() async {
        let kept = (0..<5).map { _ in Token() }
        kept.forEach { manager.beganNetworkTask(withToken: $0, label: "kept") }
        do {
            let dropped = (0..<3000).map { _ in Token() }
            dropped.forEach { manager.beganNetworkTask(withToken: $0, label: "dropped") }
        }
        scheduler.advance(by: .seconds(1))
        #expect(manager.entryCount == 5)
        while monitor.events.count < 5 + 3000 + 3000 + 1 { await Task.yield() }
        #expect(monitor.log.count { $0 == "ended dropped deallocated" } == 3000)
        #expect(!monitor.log.contains("ended kept deallocated"))
        withExtendedLifetime(kept) {}
    }

    @Test func eventsAreEquatable() throws {
        let token = Token()
        manager.beganNetworkTask(withToken: token, label: "A")
        manager.finishedNetworkTask(forToken: manager)
        let (task, later) = (manager.activeTasks[0], manager.activeTasks[0])
        let other = manager.beganNetworkTask(label: "A")
        #expect(task == later)
        #expect(monitor.events == [.began(task), .misuse(monitor.misuses[0]), .began(manager.activeTasks[1])])
        #expect(task != manager.activeTasks[1])
        other.finish()
    }

    @Test(arguments: [false, true]) func aLongIntervalDoesNotDelayReports(isWeak: Bool) {
        manager.completionCheckInterval = .seconds(600)
        let (object, later) = (Token(), Token())
        manager.beganNetworkTask(withToken: object)
        // After two hours, the polls of the object are ten minutes apart.
        scheduler.advance(by: .seconds(7200))
        let task = isWeak ? nil : manager.beganNetworkTask(label: "A")
        if isWeak { manager.beganNetworkTask(withToken: later, label: "A") }
        scheduler.advance(by: .seconds(59))
        #expect(monitor.log.last == "began A")
        scheduler.advance(by: .seconds(1))
        #expect(monitor.log.last == "still running A")
        withExtendedLifetime((object, later, task)) {}
    }

    @Test func thresholdMayChangeOrBeNone() {
        let token = manager.beganNetworkTask(label: "A")
        manager.updateConfiguration { $0.longRunningTaskThreshold = nil }
        scheduler.advance(by: .seconds(1000))
        #expect(monitor.log.count { $0.hasPrefix("still") } == 0)
        #expect(scheduler.timerCount == 0)
        manager.updateConfiguration { $0.longRunningTaskThreshold = .seconds(5000) }
        scheduler.advance(by: .zero)
        manager.updateConfiguration { $0.longRunningTaskThreshold = .seconds(5) }
        scheduler.advance(by: .zero)
        #expect(monitor.log.last == "still running A")
        token.finish()
    }

    @Test func decrementEndsTheLatestIncrement() {
        let manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        let (monitor, other) = (RecordingMonitor(), RecordingMonitor())
        let first = manager.attach(monitor: other)
        manager.incrementActivityCount(line: 1)
        first.detach()
        manager.incrementActivityCount(line: 2)
        manager.attach(monitor: monitor)
        #expect(manager.activeTasks.map(\.line) == [1, 2])
        manager.decrementActivityCount()
        #expect(manager.activeTasks.map(\.line) == [1])
        scheduler.advance(by: .seconds(70))
        manager.decrementActivityCount()
        let end = "ended activity count finished"
        #expect(monitor.log == [end, "visible true", "still running activity count", end])
        #expect(other.log == ["began activity count"])
    }

    // MARK: Delivery

    private final class Flood: NetworkTaskMonitor {
        static let size = 2000

        let recorder = RecordingMonitor()
        private let manager: NetworkIndicatorManager
        private let caller = ObjectIdentifier(Thread.current)
        private let counts = Lock((begun: 0, ended: 0, byCaller: 0))

        init(_ manager: NetworkIndicatorManager) { self.manager = manager }

        /// `waitUntilIdle` isn't enough, because the manager can be idle between two tasks.
        var isOver: Bool { counts.withLock { $0.ended == Self.size } }
        var deliveredByCaller: Int { counts.withLock { $0.byCaller } }

        func receive(_ event: NetworkTaskEvent) {
            recorder.receive(event)
            let isCaller = ObjectIdentifier(Thread.current) == caller
            let next: Int? = counts.withLock { counts in
                if isCaller { counts.byCaller += 1 }
                guard counts.begun < Self.size else { return nil }
                counts.begun += 1
                return counts.begun
            }
            guard let next else { return }
            manager.beganNetworkTask(label: "\(next)").finish()
            counts.withLock { $0.ended += 1 }
        }
    }

    @Test func floodDoesNotBlockTheMainThread() async throws {
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let token = manager.beganNetworkTask(label: "shown")
        let flood = Flood(manager)
        manager.attach(monitor: flood)
        scheduler.advance(by: .zero)
        #expect(flood.deliveredByCaller < Flood.size)
        while !flood.isOver { await Task.yield() }
        token.finish()
        scheduler.advance(by: .zero)
        try await manager.waitUntilIdle()
        let tasks = flood.recorder.log.filter { !$0.hasPrefix("visible") && $0 != "ended shown finished" }
        let areInOrder = tasks == (1...Flood.size).flatMap { ["began \($0)", "ended \($0) finished"] }
        #expect(areInOrder)
        #expect(flood.recorder.log.count == 2 * Flood.size + 3)
    }

    /// Otherwise, a thread that delivers events could deallocate a monitor.
    @Test func theTurnAfterADeliveryReleasesADetachedMonitor() {
        let attachment = Lock<NetworkIndicatorManager.Attachment?>(nil)
        let monitor = TextMonitor { [scheduler] _ in
            attachment.withLock { $0.take() }?.detach()
            MainActor.assumeIsolated { scheduler.advance(by: .zero) }
        }
        attachment.withLock { [manager] in $0 = manager.attach(monitor: monitor) }
        let isReleased = { [weak attachment = attachment.withLock(\.self)] in attachment == nil }
        manager.incrementActivityCount()
        #expect(!isReleased())
        settle()
        #expect(isReleased())
    }

    /// The turns of this manager run while other threads begin tasks.
    @Test func everyTaskOfManyThreadsIsReported() async throws {
        let manager = NetworkIndicatorManager(configuration: .immediate)
        manager.updateConfiguration { $0.longRunningTaskThreshold = .zero }
        manager.attach(monitor: monitor)
        let tokens = Lock<[NetworkTaskToken]>([])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let new = (0..<3000).map { _ in manager.beganNetworkTask() }
                    tokens.withLock { $0 += new }
                }
            }
        }
        // The turn that reports the last task precedes this closure.
        await withCheckedContinuation { next in manager.tracker.scheduler.performOnMain { next.resume() } }
        for token in tokens.withLock({ $0 }) { token.finish() }
        try await manager.waitUntilIdle()
        #expect(monitor.events.count { if case .stillRunning = $0 { true } else { false } } == 24_000)
    }
}
