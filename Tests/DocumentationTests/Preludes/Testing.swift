import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

final class Download {}

@MainActor
@Suite struct SyncTests {
    let scheduler = ManualScheduler()
    let indicator = RecordingIndicator()
    let manager: NetworkIndicatorManager

    init() {
        manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        manager.attach(indicator)
    }

    // sample
}
