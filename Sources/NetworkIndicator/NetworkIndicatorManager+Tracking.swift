public import Foundation

extension NetworkIndicatorManager {
    // MARK: Callers' objects

    /// Begins a task that lasts until `token` is deallocated or finished.
    ///
    /// The manager holds the token weakly. It detects the token's deallocation within
    /// ``Configuration/completionCheckInterval``, and sooner if the token was short-lived. With more than 1,024 weak
    /// tokens, it may detect the deallocation later, unless the token was the last one or a monitor is attached.
    ///
    /// Use an object that lives as long as its work, such as an `Operation`. For an object that outlives its work, use
    /// ``beganNetworkTask(withToken:label:fileID:line:while:)``. Some objects are unsuitable as tokens:
    ///
    /// - A boxed value, such as `42 as AnyObject`. Such an object may be deallocated at once, or never.
    /// - An immortal object, such as a class object or a constant string.
    /// - An Objective-C object that doesn't support weak references (`allowsWeakReference` returns `NO`). Using it as a
    ///   token aborts the program.
    /// - A ``NetworkTaskToken``, which has its own task. Passing it begins no task, and monitors receive a misuse
    ///   event.
    ///
    /// A token's Objective-C overrides of `retain`, `release` and `retainWeakReference` must not call the manager,
    /// because they may run while the manager holds its lock.
    ///
    /// The manager retains the token only during calls that receive the token, and while it checks tasks on the main
    /// actor. If you release your last reference to the token during such a check, the token may be deallocated on the
    /// main actor.
    ///
    /// If the token's task is already under way, this method replaces the task's label, and monitors receive a misuse
    /// event. If the task had a condition, this method also removes the condition. You can use a token again after its
    /// task has ended, and pass the same object to several managers. On Apple's platforms, an Objective-C object must
    /// not begin a task in its own `dealloc`.
    public func beganNetworkTask(
        withToken token: AnyObject, label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        tracker.begin(token, label: label, origin: CallSite(fileID: fileID, line: line))
    }

    /// Begins a task that lasts until `token` is deallocated or finished, or until `isUnderWay` returns `false`.
    ///
    /// Use this method for an object that outlives its work, such as an `Operation` in an array:
    ///
    /// ```swift
    /// manager.beganNetworkTask(withToken: operation) { !$0.isFinished }
    /// ```
    ///
    /// The manager calls `isUnderWay` on the main actor, without holding a lock, for example in polls and when you read
    /// ``activeTasks``. The task ends at the poll in which `isUnderWay` first returns `false`. The closure must return
    /// quickly, and may call the manager.
    ///
    /// After the task has ended in any way, the next poll releases the closure on the main actor. If the task ends
    /// before this method returns, the closure may be deallocated on the calling thread.
    ///
    /// Apart from the condition, this method behaves like ``beganNetworkTask(withToken:label:fileID:line:)``. If the
    /// token's task is already under way, `isUnderWay` replaces the task's condition.
    public func beganNetworkTask<Token: AnyObject & Sendable>(
        withToken token: Token, label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        while isUnderWay: @escaping @MainActor @Sendable (Token) -> Bool
    ) {
        let origin = CallSite(fileID: fileID, line: line)
        tracker.begin(token, label: label, origin: origin) { isUnderWay($0 as! Token) }
    }

    /// Ends a token's task immediately. The token is the object with which you began the task, or the token that
    /// ``beganNetworkTask(label:fileID:line:)`` returned.
    ///
    /// If the manager tracks no task of `token`, monitors receive a misuse event, and the call has no other effect. As
    /// an exception, if `token` has the address of a deallocated object whose task the manager still tracks, the call
    /// ends that task. You can call this method in the token's own `deinit`.
    ///
    /// While the deallocation of another task's object is undetected, this call doesn't start the hide
    /// delay (``Configuration/hideDelay``).
    public func finishedNetworkTask(
        forToken token: AnyObject, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        tracker.finish(token, origin: CallSite(fileID: fileID, line: line))
    }

    // MARK: Opaque tokens and scopes

    /// Begins a task that lasts until the returned token is released or finished.
    public func beganNetworkTask(
        label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NetworkTaskToken {
        begin(NetworkTaskToken.self, label, CallSite(fileID: fileID, line: line))
    }

    private func begin(_ tokenType: any Any.Type, _ label: String?, _ origin: CallSite) -> NetworkTaskToken {
        NetworkTaskToken(tracker.begin(tokenType: tokenType, label: label, origin: origin), tracker: tracker)
    }

    /// Runs an asynchronous closure and tracks it as a network task, which ends when the closure returns or throws.
    ///
    /// ```swift
    /// let users = try await manager.withNetworkTask(label: "Users") {
    ///     try await api.users()
    /// }
    /// ```
    ///
    /// The method returns the value that the closure returns, and throws its error. By default, it has the caller's
    /// isolation.
    public func withNetworkTask<R, E: Error>(
        label: String? = nil, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        line: UInt = #line, _ body: () async throws(E) -> R
    ) async throws(E) -> R {
        let token = begin(Scope.self, label, CallSite(fileID: fileID, line: line))
        defer { token.finish() }
        return try await body()
    }

    /// Runs a synchronous closure and tracks it as a network task, which ends when the closure returns or throws. The
    /// method returns the value that the closure returns, and throws its error.
    public func withNetworkTask<R, E: Error>(
        label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line, _ body: () throws(E) -> R
    ) throws(E) -> R {
        let token = begin(Scope.self, label, CallSite(fileID: fileID, line: line))
        defer { token.finish() }
        return try body()
    }

    // MARK: The activity count

    /// Increments the activity count, which begins an anonymous task.
    ///
    /// Balance each call with a call to ``decrementActivityCount(fileID:line:)``. Prefer tokens, because releasing a
    /// token always ends its task.
    public func incrementActivityCount(fileID: StaticString = #fileID, line: UInt = #line) {
        _ = tracker.begin(tokenType: nil, label: nil, origin: CallSite(fileID: fileID, line: line))
    }

    /// Decrements the activity count, which ends the task of the latest unbalanced increment.
    ///
    /// If the count is zero, monitors receive a misuse event, and the call has no other effect.
    public func decrementActivityCount(fileID: StaticString = #fileID, line: UInt = #line) {
        let origin = CallSite(fileID: fileID, line: line)
        tracker.change { $0.decrement(origin: origin) }
    }

    // MARK: Notifications

    /// Tracks the tasks of a client that posts notifications when its tasks begin and end, as AFNetworking does.
    ///
    /// ```swift
    /// manager.trackTasks(
    ///     begin: .taskDidResume, end: [.taskDidSuspend, .taskDidComplete])
    /// ```
    ///
    /// For a begin notification, the manager begins a task whose token is the object that the `token` closure returns.
    /// For an end notification, the manager ends the task of the returned object. The manager holds these objects
    /// weakly. Repeated begin notifications, and end notifications for objects without a task, aren't reported as
    /// misuse.
    ///
    /// The closures `label` and `token` run on the thread that posts the notification.
    ///
    /// Pass a condition if the client doesn't always post an end notification, or if it can post the end notification
    /// before the begin notification. The condition works as in
    /// ``beganNetworkTask(withToken:label:fileID:line:while:)``.
    ///
    /// - Parameters:
    ///   - begin: The name of the notification that the client posts when a task begins.
    ///   - end: The names of the notifications that the client posts when a task ends.
    ///   - center: The notification center that the client uses.
    ///   - label: A closure that returns the task's name for a begin notification. By default, tasks have no label.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - isUnderWay: An optional condition: a closure that returns whether a token is still using the network.
    ///   - token: A closure that returns the object that represents the task, or `nil` to ignore the notification. The
    ///     default is the object of the notification.
    /// - Returns: The attachment, whose ``Attachment/detach()`` method stops observing the notifications.
    @discardableResult
    public func trackTasks(
        begin: Notification.Name, end: [Notification.Name], center: NotificationCenter = .default,
        label: @escaping @Sendable (Notification) -> String? = { _ in nil }, fileID: StaticString = #fileID,
        line: UInt = #line, while isUnderWay: (@MainActor @Sendable (AnyObject) -> Bool)? = nil,
        token: @escaping @Sendable (Notification) -> AnyObject? = { $0.object as AnyObject? }
    ) -> Attachment {
        let origin = CallSite(fileID: fileID, line: line)
        // The end notifications are observed first, so that the end of a short task isn't missed.
        //
        // `nonisolated(unsafe)`: the observers never change, and are only passed back to the center, which is
        // thread-safe.
        nonisolated(unsafe) let observers = (end + [begin]).map { name in
            center.addObserver(forName: name, object: nil, queue: nil) { [weak self] notification in
                guard let self, let token = token(notification) else { return }
                if name == begin {
                    tracker.begin(
                        token, label: label(notification), origin: origin, reportsMisuse: false, while: isUnderWay)
                } else {
                    tracker.finish(token, origin: origin, reportsMisuse: false)
                }
            }
        }
        return attach(.notifications { for observer in observers { center.removeObserver(observer) } })
    }
}
