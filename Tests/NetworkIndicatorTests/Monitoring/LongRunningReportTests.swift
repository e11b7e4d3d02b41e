import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

/// Reports of tasks that are still running.
@MainActor
@Suite struct LongRunningReportTests {
    let scheduler = ManualScheduler()
    let monitor = RecordingMonitor()

    private var reports: Int { monitor.log.count { $0.hasPrefix("still running") } }

    private func manager(interval: Duration) -> NetworkIndicatorManager {
        var configuration = NetworkIndicatorManager.Configuration.standard
        configuration.completionCheckInterval = interval
        let manager = NetworkIndicatorManager(configuration: configuration, scheduler: scheduler)
        manager.attach(monitor)
        return manager
    }

    @Test func aLongIntervalDoesNotDelayReportsOfOpaqueTasks() {
        let manager = manager(interval: .seconds(3600))
        let task = manager.beganNetworkTask()
        scheduler.advance(by: .seconds(59))
        #expect(reports == 0)
        scheduler.advance(by: .seconds(1))
        #expect(reports == 1)
        task.finish()
    }

    @Test func aShorterIntervalAppliesToTheRunningTimer() {
        let manager = manager(interval: .seconds(1))
        manager.updateConfiguration { $0.longRunningTaskThreshold = .milliseconds(40) }
        let task = manager.beganNetworkTask()
        scheduler.advance(by: .milliseconds(20))
        #expect(reports == 0)
        manager.updateConfiguration { $0.completionCheckInterval = .milliseconds(10) }
        scheduler.advance(by: .milliseconds(20))
        #expect(reports == 1)
        task.finish()
    }

    /// A monitor receives the end of every increment, even if it was attached after the begin.
    @Test func decrementEndsTheLatestIncrement() {
        let manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        let first = manager.attach(monitor)
        manager.incrementActivityCount(line: 1)
        first.detach()
        manager.incrementActivityCount(line: 2)
        manager.attach(monitor)
        #expect(manager.activeTasks.map(\.line) == [1, 2])
        manager.decrementActivityCount()
        #expect(manager.activeTasks.map(\.line) == [1])
        scheduler.advance(by: .seconds(70))
        #expect(
            monitor.log == [
                "began activity count", "ended activity count finished", "visible true",
                "still running activity count",
            ])
        manager.decrementActivityCount()
        #expect(monitor.log.last == "ended activity count finished")
        #expect(monitor.events.count == 5)
    }
}
