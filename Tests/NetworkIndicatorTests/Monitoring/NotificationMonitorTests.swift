import Foundation
import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@MainActor
@Suite struct NotificationMonitorTests {
    @Test func postsEventsInOrder() {
        let scheduler = ManualScheduler()
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let center = NotificationCenter()
        manager.addMonitor(NotificationMonitor(center: center))
        let received = Lock<[String]>([])
        let names: [Notification.Name] = [
            .networkTaskDidBegin, .networkTaskDidEnd, .networkIndicatorVisibilityDidChange,
        ]
        let observers = names.map { name in
            center.addObserver(forName: name, object: nil, queue: nil) { notification in
                let task = notification.userInfo?[NotificationMonitor.taskKey] as? NetworkTaskInfo
                let end = notification.userInfo?[NotificationMonitor.endKey] as? NetworkTaskEnd
                let isVisible = notification.userInfo?[NotificationMonitor.isVisibleKey] as? Bool
                let parts = [task?.label, end.map { "\($0)" }, isVisible.map { "\($0)" }]
                received.withLock {
                    $0.append(([notification.name.rawValue] + parts.compactMap { $0 }).joined(separator: " "))
                }
            }
        }
        defer { for observer in observers { center.removeObserver(observer) } }

        let task = manager.beganNetworkTask(label: "a")
        scheduler.advance(by: .zero)
        task.finish()
        manager.decrementActivityCount()  // misuse isn't posted as a notification
        scheduler.advance(by: .zero)
        #expect(
            received.withLock { $0 } == [
                "NetworkTaskDidBegin a", "NetworkIndicatorVisibilityDidChange true", "NetworkTaskDidEnd a finished",
                "NetworkIndicatorVisibilityDidChange false",
            ])
    }
}
