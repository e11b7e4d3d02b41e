@testable import NetworkIndicator

extension NetworkIndicatorManager {
    /// The number of calls that wait until the manager is idle.
    var waiterCount: Int { tracker.read { $0.waiters.count } }

    /// The number of indicators and streams that receive the visibility.
    var observerCount: Int { tracker.read { $0.observers.indicators.count + $0.observers.streams.count } }

    /// Whether no thread holds the manager's lock, not even the current thread.
    var isUnlocked: Bool { tracker.state.withLockIfAvailable { _ in true } ?? false }
}
