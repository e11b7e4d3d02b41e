@testable import NetworkIndicator

extension NetworkIndicatorManager {
    var waiterCount: Int { tracker.read { $0.waiters.count } }

    var observerCount: Int { tracker.read { $0.observers.indicators.count + $0.observers.others.count } }

    var isUnlocked: Bool { tracker.state.withLockIfAvailable { _ in true } ?? false }
}
