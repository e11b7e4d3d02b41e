@testable import NetworkIndicator

extension NetworkIndicatorManager {
    var waiterCount: Int { tracker.read { $0.waiters.count } }

    var observerCount: Int {
        let observers = tracker.read(\.observers)
        return observers.indicators.count + observers.others.count
    }

    var isUnlocked: Bool { tracker.state.withLockIfAvailable { _ in true } ?? false }
}
