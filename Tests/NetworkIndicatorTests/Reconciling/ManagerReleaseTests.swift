import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

/// Monitors when their manager is deallocated.
@MainActor
@Suite struct ManagerReleaseTests {
    let scheduler = ManualScheduler()

    @Test func monitorsAreReleasedWithTheManager() {
        var monitor: RecordingMonitor? = RecordingMonitor()
        let released = { [weak monitor] in monitor == nil }
        var manager: NetworkIndicatorManager? = .init(configuration: .immediate, scheduler: scheduler)
        let task = manager?.beganNetworkTask()
        manager?.addMonitor(monitor!)
        scheduler.advance(by: .zero)
        monitor = nil
        #expect(!released())
        manager = nil
        scheduler.advance(by: .zero)
        #expect(released())
        task?.finish()
    }

    @Test func monitorsReceiveTheFinalChangeOfVisibility() {
        let monitor = RecordingMonitor()
        var manager: NetworkIndicatorManager? = .init(configuration: .immediate, scheduler: scheduler)
        manager?.addMonitor(monitor)
        let task = manager?.beganNetworkTask()
        scheduler.advance(by: .zero)
        manager = nil
        #expect(monitor.log.suffix(2) == ["visible true", "visible false"])
        task?.finish()
    }
}
