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
    /// Pass a condition if an end can be missing, or can be posted before its begin. If the condition is already
    /// `false` at a begin, no task begins. Otherwise the condition works as in
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
    /// - Returns: An attachment, which can stop the tracking. The tracking also ends with the manager.
    @discardableResult
    public func trackTasks(
        begin: Notification.Name, end: [Notification.Name], center: NotificationCenter = .default,
        label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        while isUnderWay: (@Sendable (AnyObject) -> Bool)? = nil,
        token: @escaping @Sendable (Notification) -> AnyObject?
    ) -> Attachment {
        let origin = CallSite(fileID: fileID, line: line)
        // The observers refer to the tracker, so that they don't retain the manager. Ends are observed first: otherwise
        // a task could begin and end before its end is observed.
        var observers = end.map { name in
            center.addObserver(forName: name, object: nil, queue: nil) { [tracker] notification in
                guard let token = token(notification) else { return }
                tracker.finish(token, origin: origin, reportsMisuse: false)
            }
        }
        observers.append(
            center.addObserver(forName: begin, object: nil, queue: nil) { [tracker] notification in
                guard let token = token(notification), isUnderWay?(token) ?? true else { return }
                tracker.begin(token, label: label, origin: origin, reportsMisuse: false, while: isUnderWay)
            })
        // `nonisolated(unsafe)`: the observers are only passed back to the center, on any thread.
        nonisolated(unsafe) let observed = observers
        return attach(.notifications { for observer in observed { center.removeObserver(observer) } })
    }
}
