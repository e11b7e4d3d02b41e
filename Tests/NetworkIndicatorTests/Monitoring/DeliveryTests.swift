import Foundation
import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

/// Delivery of events that arrive faster than a monitor returns.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct DeliveryTests {
    /// Begins a task for each event, up to a limit, like a flood of tasks on other threads.
    private final class Flood: NetworkTaskMonitor {
        static let size = 2000

        let recorder = RecordingMonitor()
        private let manager: NetworkIndicatorManager
        private let caller = ObjectIdentifier(Thread.current)
        private let counts = Lock((begun: 0, ended: 0, byCaller: 0))

        init(_ manager: NetworkIndicatorManager) { self.manager = manager }

        /// Whether all tasks have ended. Before that, the manager can be idle between two tasks.
        var isOver: Bool { counts.withLock { $0.ended == Self.size } }
        /// The number of events that were delivered on the thread that created the monitor.
        var deliveredByCaller: Int { counts.withLock { $0.byCaller } }

        func networkIndicator(_ event: NetworkTaskEvent) {
            recorder.networkIndicator(event)
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

    /// A flood of events after the indicator goes on doesn't block the main thread, and no event is lost.
    @Test func floodDoesNotBlockTheMainThread() async throws {
        let scheduler = ManualScheduler()
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let token = manager.beganNetworkTask(label: "shown")
        let flood = Flood(manager)
        let attachment = manager.attach(flood)
        scheduler.advance(by: .zero)
        #expect(flood.deliveredByCaller < Flood.size)
        while !flood.isOver { await Task.yield() }
        token.finish()
        scheduler.advance(by: .zero)
        try await manager.waitUntilIdle()
        attachment.detach()
        let tasks = flood.recorder.log.filter { !$0.hasPrefix("visible") && $0 != "ended shown finished" }
        let areInOrder = tasks == (1...Flood.size).flatMap { ["began \($0)", "ended \($0) finished"] }
        #expect(areInOrder)
        #expect(flood.recorder.log.count == 2 * Flood.size + 3)
    }
}
