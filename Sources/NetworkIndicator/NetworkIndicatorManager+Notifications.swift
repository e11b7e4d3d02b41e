public import Foundation

extension NetworkIndicatorManager {
    /// Tracks the tasks of a client that posts notifications when they begin and end, as Alamofire and AFNetworking do.
    ///
    /// ```swift
    /// manager.trackTasks(
    ///     begin: .taskDidResume, end: [.taskDidSuspend, .taskDidComplete]
    /// ) { $0.object as AnyObject? }
    /// ```
    ///
    /// Each object that `token` returns is a token, held weakly. Repeated begins, repeated ends, and ends of unknown
    /// objects have no effect and are not misuse. If `token` returns `nil`, the notification has no effect. Any thread.
    ///
    /// - Parameters:
    ///   - begin: The notification of a begin.
    ///   - end: The notifications of an end.
    ///   - center: The notification center. Default `NotificationCenter.default`.
    ///   - fileID: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    ///   - token: Returns the object that represents the task. It runs on the thread that posts.
    /// - Returns: The tracking, for ``NotificationTracking/stop()``. Releasing it does not stop the tracking.
    @discardableResult
    public func trackTasks(
        begin: Notification.Name, end: [Notification.Name], center: NotificationCenter = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        token: @escaping @Sendable (Notification) -> AnyObject?
    ) -> NotificationTracking {
        let origin = CallSite(fileID: fileID, line: line)
        let onBegin: @Sendable (TaskTracker, AnyObject) -> Void = {
            $0.begin($1, label: nil, origin: origin, reportsMisuse: false)
        }
        let onEnd: @Sendable (TaskTracker, AnyObject) -> Void = { $0.finish($1, origin: origin, reportsMisuse: false) }
        let handlers = [(begin, onBegin)] + end.map { ($0, onEnd) }
        let observers = handlers.map { name, handle in
            center.addObserver(forName: name, object: nil, queue: nil) { [weak self] notification in
                guard let self, let token = token(notification) else { return }
                handle(tracker, token)
            }
        }
        return NotificationTracking(center: center, observers: observers)
    }
}

/// Tracking of a client's notifications, made by
/// ``NetworkIndicatorManager/trackTasks(begin:end:center:fileID:line:token:)``.
public final class NotificationTracking: Sendable {
    private let center: NotificationCenter
    private let observers: Lock<[any NSObjectProtocol]>

    init(center: NotificationCenter, observers: sending [any NSObjectProtocol]) {
        self.center = center
        self.observers = Lock(observers)
    }

    /// Stops observing. Tasks under way end when their objects are deallocated or finished. Idempotent; any thread.
    public func stop() {
        let observers = observers.withLock { observers in
            defer { observers = [] }
            return observers
        }
        for observer in observers { center.removeObserver(observer) }
    }
}
