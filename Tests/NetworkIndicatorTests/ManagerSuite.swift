import NetworkIndicator
import NetworkIndicatorTestKit

/// The tests of a manager on a manual clock, without delays.
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

/// The tests of an indicator on a manual clock, with the standard delays.
@MainActor
class IndicatorSuite: ManagerSuite {
    let indicator = RecordingIndicator()

    init() {
        super.init(configuration: .standard)
        manager.attach(indicator)
        settle()
    }
}
