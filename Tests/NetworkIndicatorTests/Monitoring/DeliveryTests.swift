import Foundation
import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

/// Delivery of events that arrive faster than a monitor returns.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct DeliveryTests {
    /// Begins a task for each event, as other threads do in a flood, up to a limit.
    private final class Flood: NetworkTaskMonitor {
        static let size = 2000

        let heard = RecordingMonitor()
        private let manager: NetworkIndicatorManager
        private let caller = ObjectIdentifier(Thread.current)
        private let counts = Lock((begun: 0, ended: 0, byCaller: 0))

        init(_ manager: NetworkIndicatorManager) { self.manager = manager }

        /// Whether there will be no more tasks. Until then the manager is idle between two of them.
        var isOver: Bool { counts.withLock { $0.ended == Self.size } }
        /// The number of events delivered by the thread that made the monitor.
        var toldByCaller: Int { counts.withLock { $0.byCaller } }

        func networkIndicator(_ event: NetworkTaskEvent) {
            heard.networkIndicator(event)
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

    /// The events that follow when the indicator goes on don't block the main thread, and none is lost.
    @Test func floodDoesNotBlockTheMainThread() async throws {
        let scheduler = ManualScheduler()
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let token = manager.beganNetworkTask(label: "shown")
        let flood = Flood(manager)
        let attachment = manager.addMonitor(flood)
        scheduler.advance(by: .zero)
        #expect(flood.toldByCaller < Flood.size)
        while !flood.isOver { await Task.yield() }
        token.finish()
        scheduler.advance(by: .zero)
        try await manager.waitUntilIdle()
        attachment.detach()
        let tasks = flood.heard.log.filter { !$0.hasPrefix("visible") && $0 != "ended shown finished" }
        let areInOrder = tasks == (1...Flood.size).flatMap { ["began \($0)", "ended \($0) finished"] }
        #expect(areInOrder)
        #expect(flood.heard.log.count == 2 * Flood.size + 3)
    }
}
