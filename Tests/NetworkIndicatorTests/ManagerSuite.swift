import NetworkIndicatorTestKit

@testable import NetworkIndicator

@MainActor
class ManagerSuite {
    final class Token: Sendable {}

    let scheduler = ManualScheduler()
    let manager: NetworkIndicatorManager

    init(configuration: NetworkIndicatorManager.Configuration = .immediate) {
        manager = NetworkIndicatorManager(configuration: configuration, scheduler: scheduler)
    }

    func settle() { scheduler.advance(by: .zero) }
}

@MainActor
class IndicatorSuite: ManagerSuite {
    let indicator = RecordingIndicator()

    init() {
        super.init(configuration: .standard)
        manager.attach(indicator)
        settle()
    }
}

extension NetworkIndicatorManager {
    var waiterCount: Int { tracker.read { $0.waiters.count } }

    var observerCount: Int {
        let observers = tracker.read(\.observers)
        return observers.indicators.count + observers.others.count
    }

    var isUnlocked: Bool { tracker.state.withLockIfAvailable { _ in true } ?? false }
}
