#if canImport(AppleStubs)
import AppleStubs
import NetworkIndicator
import NetworkIndicatorTestKit
import NetworkIndicatorTracing
import Testing

/// The suite is serialized, because the stubs share one journal.
@MainActor
@Suite(.serialized) struct SystemMonitorTests {
    private let scheduler = ManualScheduler()
    private let manager: NetworkIndicatorManager

    init() {
        manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        _ = Journal.take()
    }

    private func runTask(label: String? = nil) {
        let token = manager.beganNetworkTask(label: label, fileID: "App/Feed.swift", line: 7)
        scheduler.advance(by: .zero)
        token.finish()
        scheduler.advance(by: .zero)
    }

    @Test func logsWithLabelsRedacted() {
        manager.attach(monitor: LogMonitor())
        scheduler.advance(by: .zero)
        runTask(label: "a user's secret")
        manager.decrementActivityCount(fileID: "App/Feed.swift", line: 9)
        let log = "NetworkIndicator/Tasks"
        #expect(
            Journal.take() == [
                "\(log) debug: began task 1 (NetworkTaskToken) from App/Feed.swift:7 <private>",
                "\(log) info: indicator on",
                "\(log) debug: finished task 1 (NetworkTaskToken) from App/Feed.swift:7 <private>",
                "\(log) info: indicator off",
                "\(log) error: App/Feed.swift:9: decremented the activity count at zero. Each decrement needs an "
                    + "increment before it.",
            ])
    }

    @Test func logsLongRunningTasks() {
        manager.updateConfiguration { $0.longRunningTaskThreshold = .seconds(5) }
        manager.attach(monitor: LogMonitor())
        let token = manager.beganNetworkTask(fileID: "App/Feed.swift", line: 7)
        scheduler.advance(by: .seconds(6))
        #expect(
            Journal.take().last
                == "NetworkIndicator/Tasks notice: still running task 1 (NetworkTaskToken) from App/Feed.swift:7 <private>"
        )
        token.finish()
    }

    /// While signposts are disabled, as in the stub, `makeSignpostID()` returns the null identifier. The system
    /// drops intervals with that identifier, so the monitor must not use it.
    @Test func signpostsAreIntervalsThatMatch() throws {
        manager.attach(monitor: SignpostMonitor())
        scheduler.advance(by: .zero)
        runTask()
        let journal = Journal.take()
        let base = try #require(
            journal.first?.split(separator: " ").dropFirst(3).first.flatMap { UInt64($0.dropLast()) })
        let (task, indicator) = (base, base - 1)
        #expect(
            journal == [
                "begin Network task \(task): task 1 (NetworkTaskToken) from App/Feed.swift:7 <private>",
                "begin Network indicator \(indicator)",
                "end Network task \(task): finished",
                "end Network indicator \(indicator)",
            ])
    }
}
#endif
