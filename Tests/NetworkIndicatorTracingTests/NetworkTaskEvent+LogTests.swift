import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicatorTracing

@MainActor
struct NetworkTaskEventLogTests {
    /// The levels of `LogMonitor`, and its texts without labels, which may be private.
    @Test func theLevelAndTheTextOfEachEvent() {
        let (scheduler, monitor) = (ManualScheduler(), RecordingMonitor())
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        manager.updateConfiguration { $0.longRunningTaskThreshold = .seconds(1) }
        manager.attach(monitor: monitor)
        let task = manager.beganNetworkTask(label: "secret", fileID: "App/Sync.swift", line: 12)
        scheduler.advance(by: .seconds(2))
        task.finish()
        manager.decrementActivityCount()
        scheduler.advance(by: .seconds(2))
        let place = "task 1 (NetworkTaskToken) from App/Sync.swift:12"
        let expected: [(level: NetworkTaskEvent.LogLevel, text: String, label: String?)] = [
            (.debug, "began \(place)", "secret"), (.info, "indicator on", nil),
            (.notice, "still running: \(place)", "secret"), (.debug, "finished \(place)", "secret"),
            (.error, "misuse: ", nil), (.info, "indicator off", nil),
        ]
        #expect(monitor.events.count == expected.count)
        for (event, expected) in zip(monitor.events, expected) {
            #expect(event.logLevel == expected.level && event.label == expected.label)
            #expect(event.publicText.hasPrefix(expected.text) && !event.publicText.contains("secret"))
        }
    }
}
