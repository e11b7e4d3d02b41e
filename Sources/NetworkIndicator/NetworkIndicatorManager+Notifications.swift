public import Foundation

extension NetworkIndicatorManager {
    /// Tracks the tasks of a client that posts notifications when they begin and end, as AFNetworking does.
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
    /// Pass a condition if an end can be missing, or can be posted before its begin. A begin whose condition is already
    /// `false` begins nothing. Otherwise the condition works as in
    /// ``beganNetworkTask(withToken:label:fileID:line:while:)``.
    ///
    /// - Parameters:
    ///   - begin: The notification of a begin.
    ///   - end: The notifications of an end.
    ///   - center: The notification center. Default `NotificationCenter.default`.
    ///   - label: A name of the tasks for diagnostics.
    ///   - fileID: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    ///   - isUnderWay: Returns whether a token is still using the network. The manager calls it on any thread.
    ///   - token: Returns the object that represents the task. It runs on the thread that posts.
    /// - Returns: An attachment, which can stop the tracking. It also ends with the manager.
    @discardableResult
    public func trackTasks(
        begin: Notification.Name, end: [Notification.Name], center: NotificationCenter = .default,
        label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        while isUnderWay: (@Sendable (AnyObject) -> Bool)? = nil,
        token: @escaping @Sendable (Notification) -> AnyObject?
    ) -> Attachment {
        let origin = CallSite(fileID: fileID, line: line)
        let tracking = NotificationTracking(center: center)
        // The observers refer to the tracker, so that they don't retain the manager. Ends are observed first: otherwise
        // a task could begin and end before its end is observed.
        tracking.observe(end) { [tracker] notification in
            guard let token = token(notification) else { return }
            tracker.finish(token, origin: origin, reportsMisuse: false)
        }
        tracking.observe([begin]) { [tracker] notification in
            guard let token = token(notification), isUnderWay?(token) ?? true else { return }
            tracker.begin(token, label: label, origin: origin, reportsMisuse: false, while: isUnderWay)
        }
        return attach(.notifications(tracking))
    }
}

/// The observers of a client's notifications.
final class NotificationTracking: Sendable {
    private let center: NotificationCenter
    private let observers = Lock<[Observer]>([])

    // `@unchecked Sendable`: the object is only passed back to the center, on any thread.
    private struct Observer: @unchecked Sendable {
        let object: any NSObjectProtocol
    }

    init(center: NotificationCenter) { self.center = center }

    func observe(_ names: [Notification.Name], using body: @escaping @Sendable (Notification) -> Void) {
        for name in names {
            let observer = center.addObserver(forName: name, object: nil, queue: nil, using: body)
            observers.withLock { $0.append(Observer(object: observer)) }
        }
    }

    /// Stops observing. Idempotent; any thread.
    func stop() {
        let observers = observers.withLock { observers in
            defer { observers = [] }
            return observers
        }
        for observer in observers { center.removeObserver(observer.object) }
    }
}
