import NetworkIndicator
import NetworkIndicatorTestKit

/// The tests of a manager on a manual clock, without delays.
@MainActor
class ManagerSuite {
    final class Token {}

    let scheduler = ManualScheduler()
    let manager: NetworkIndicatorManager

    init() {
        manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
    }

    /// Runs the work that is due now.
    func settle() { scheduler.advance(by: .zero) }
}
