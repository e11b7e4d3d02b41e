import NetworkIndicator
import NetworkIndicatorTestKit

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
