import Foundation
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

extension NetworkTaskMonitorTests {
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
