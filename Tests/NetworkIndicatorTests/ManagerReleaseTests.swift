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
        manager?.attach(monitor!)
        scheduler.advance(by: .zero)
        monitor = nil
        #expect(!released())
        manager = nil
        scheduler.advance(by: .zero)
        #expect(released())
        task?.finish()
    }

    /// An event without its end would be an open interval in Instruments.
    @Test func monitorsReceiveTheEndsAndTheFinalChange() {
        let monitor = RecordingMonitor()
        var manager: NetworkIndicatorManager? = .init(configuration: .immediate, scheduler: scheduler)
        manager?.attach(monitor)
        let (task, object) = (manager?.beganNetworkTask(label: "token"), RecordingIndicator())
        manager?.beganNetworkTask(withToken: object, label: "object")
        scheduler.advance(by: .zero)
        manager = nil
        #expect(Set(monitor.log.suffix(3).dropLast()) == ["ended object reset", "ended token reset"])
        #expect(monitor.log.last == "visible false")
        task?.finish()
    }
}
