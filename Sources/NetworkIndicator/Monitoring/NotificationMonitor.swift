public import Foundation

extension Notification.Name {
    /// A task began. ``NotificationMonitor/taskKey`` has its `NetworkTaskInfo`.
    public static let networkTaskDidBegin = Notification.Name("NetworkTaskDidBegin")
    /// A task ended. ``NotificationMonitor/taskKey`` has its `NetworkTaskInfo`, ``NotificationMonitor/endKey`` its
    /// `NetworkTaskEnd`.
    public static let networkTaskDidEnd = Notification.Name("NetworkTaskDidEnd")
    /// The indicator went on or off. ``NotificationMonitor/isVisibleKey`` has a `Bool`.
    public static let networkIndicatorVisibilityDidChange = Notification.Name("NetworkIndicatorVisibilityDidChange")
}

/// A monitor that posts notifications, for code without access to the manager.
///
/// ```swift
/// manager.addMonitor(NotificationMonitor())
/// ```
///
/// Notifications arrive in the order of the events, on any thread. They have no object. To receive them on the main
/// thread, pass the main queue to `addObserver(forName:object:queue:using:)`.
public struct NotificationMonitor: NetworkTaskMonitor {
    /// In `userInfo`: the task, a `NetworkTaskInfo`.
    public static let taskKey = "task"
    /// In `userInfo`: how the task ended, a `NetworkTaskEnd`.
    public static let endKey = "end"
    /// In `userInfo`: whether the indicator is on now, a `Bool`.
    public static let isVisibleKey = "isVisible"

    private let center: NotificationCenter

    /// Creates a monitor that posts to a center.
    public init(center: NotificationCenter = .default) { self.center = center }

    public func networkIndicator(_ event: NetworkTaskEvent) {
        switch event {
        case .began(let task):
            center.post(name: .networkTaskDidBegin, object: nil, userInfo: [Self.taskKey: task])
        case .ended(let task, let end):
            center.post(name: .networkTaskDidEnd, object: nil, userInfo: [Self.taskKey: task, Self.endKey: end])
        case .visibilityChanged(let isVisible):
            center.post(
                name: .networkIndicatorVisibilityDidChange, object: nil, userInfo: [Self.isVisibleKey: isVisible])
        case .stillRunning, .misuse:
            break
        }
    }
}
