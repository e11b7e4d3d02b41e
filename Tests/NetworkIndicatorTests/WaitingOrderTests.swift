import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

@MainActor
@Suite struct WaitingOrderTests {
    /// Records at each change whether a caller still waits for the manager to be idle.
    final class Observer: ActivityIndicator {
        let hasWaiters: @MainActor () -> Bool
        private(set) var results: [Bool] = []

        init(_ hasWaiters: @escaping @MainActor () -> Bool) { self.hasWaiters = hasWaiters }

        func setVisible(_ isVisible: Bool) { results.append(hasWaiters()) }
    }

    /// A program that waits, prints a line and exits must not leave the indicator on.
    @Test(.timeLimit(.minutes(10)))
    func waitReturnsAfterTheLastIndicatorIsOff() async throws {
        let scheduler = ManualScheduler()
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let indicators = (0..<2).map { _ in
            Observer { [unowned manager] in
                // Each end of a task checks whether waiters can resume.
                manager.incrementActivityCount()
                manager.decrementActivityCount()
                return manager.waiterCount > 0
            }
        }
        for indicator in indicators { manager.attach(indicator) }
        let task = manager.beganNetworkTask()
        scheduler.advance(by: .zero)
        let waiting = Task.detached { try await manager.waitUntilIdle() }
        while manager.waiterCount == 0 { await Task.yield() }
        task.finish()
        scheduler.advance(by: .zero)
        try await waiting.value
        #expect(indicators.map(\.results) == [[false, true], [false, true]])
    }
}
