import NetworkIndicator
import NetworkIndicatorTestKit

/// The base class for tests of a manager with a manual scheduler, without delays.
@MainActor
class ManagerSuite {
    final class Token: Sendable {}

    let scheduler = ManualScheduler()
    let manager: NetworkIndicatorManager

    init(configuration: NetworkIndicatorManager.Configuration = .immediate) {
        manager = NetworkIndicatorManager(configuration: configuration, scheduler: scheduler)
    }

    /// Runs the work that is due now.
    func settle() { scheduler.advance(by: .zero) }
}

/// The base class for tests of an indicator with a manual scheduler and the standard delays.
@MainActor
class IndicatorSuite: ManagerSuite {
    let indicator = RecordingIndicator()

    init() {
        super.init(configuration: .standard)
        manager.attach(indicator)
        settle()
    }
}
