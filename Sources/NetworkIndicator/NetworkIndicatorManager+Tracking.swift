public import Foundation

extension NetworkIndicatorManager {
    // MARK: Callers' objects

    /// Begins a task that lasts until `token` is deallocated or finished.
    ///
    /// The manager holds the token weakly. It detects the deallocation of the last token within
    /// ``Configuration/completionCheckInterval``, and sooner after short work. It may detect other deallocations later,
    /// unless a monitor is attached.
    ///
    /// Use an object that lives as long as its work, such as an `Operation`. For an object that outlives its work, use
    /// ``beganNetworkTask(withToken:label:fileID:line:while:)``. Some objects can't be tokens:
    ///
    /// - A boxed value (`42 as AnyObject`). On Linux, such an object is deallocated at once. On Apple's platforms, many
    ///   boxed values are tagged pointers. They are never deallocated, and equal values are the same token.
    /// - An immortal object, such as a class or a constant string. Such an object is never deallocated.
    /// - An Objective-C object that refuses weak references (`allowsWeakReference` returns `NO`). Using it as a token
    ///   aborts the program.
    ///
    /// If an Objective-C class overrides `retain`, `release` or `retainWeakReference`, these methods run while the
    /// manager holds a lock. They must not call the manager.
    ///
    /// The manager loads the token on the main actor only. If the last other reference to the token is released during
    /// a poll, the token is deallocated on the main thread.
    ///
    /// If the token's task is already under way, this method replaces the task's label and condition. Finishing the
    /// token once still ends the task. A finished token can begin another task. On Apple's platforms, an Objective-C
    /// object must not begin a task in its own `dealloc`. Any thread; constant time.
    ///
    /// - Parameters:
    ///   - token: The object that represents the task. It may be a token of several managers.
    ///   - label: A name for diagnostics.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    public func beganNetworkTask(
        withToken token: AnyObject, label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        tracker.begin(token, label: label, origin: CallSite(fileID: fileID, line: line))
    }

    /// Begins a task that lasts until `token` is deallocated or finished, or until a condition is false.
    ///
    /// Use it for an object that outlives its work, such as an `Operation` in an array:
    ///
    /// ```swift
    /// manager.beganNetworkTask(withToken: operation) { !$0.isFinished }
    /// ```
    ///
    /// The manager calls the condition on the main actor, without holding a lock. It does so in polls that examine the
    /// task, before it shows the indicator, and when you read properties such as ``activeTasks``. The task ends when
    /// the condition first returns `false`. The condition must return quickly.
    ///
    /// A condition may call every method of the manager. If a condition reads a property such as ``activeTasks``, the
    /// manager doesn't evaluate conditions, and the property includes every task whose object is alive.
    ///
    /// Otherwise, this method behaves like ``beganNetworkTask(withToken:label:fileID:line:)``. Any thread; constant
    /// time.
    ///
    /// - Parameters:
    ///   - token: The object.
    ///   - label: A name for diagnostics.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    ///   - isUnderWay: A closure that returns whether the token is still using the network.
    public func beganNetworkTask<Token: AnyObject & Sendable>(
        withToken token: Token, label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        while isUnderWay: @escaping @MainActor @Sendable (Token) -> Bool
    ) {
        let origin = CallSite(fileID: fileID, line: line)
        beganNetworkTask(withToken: token, label: label, origin: origin, reportsMisuse: true, while: isUnderWay)
    }

    /// Begins a task that lasts until `token` is deallocated or finished, or until a condition is false.
    ///
    /// - Parameter reportsMisuse: Whether monitors are notified if the token already has a task.
    package func beganNetworkTask<Token: AnyObject & Sendable>(
        withToken token: Token, label: String?, origin: CallSite, reportsMisuse: Bool,
        while isUnderWay: @escaping @MainActor @Sendable (Token) -> Bool
    ) {
        tracker.begin(
            token, label: label, origin: origin, reportsMisuse: reportsMisuse, while: { isUnderWay($0 as! Token) })
    }

    /// Ends a task now, before its token is deallocated.
    ///
    /// Finishing is idempotent. If the object has no task, this method has no effect, except that monitors receive a
    /// misuse event. If the object has the address of a deallocated token, this method ends that token's task, and
    /// doesn't report misuse. You can call this method from the token's own `deinit`. Any thread; constant time.
    ///
    /// If an earlier token was deallocated, the indicator stays on until the manager detects the deallocation.
    ///
    /// - Parameters:
    ///   - token: The object that you passed to begin the task, or the token that
    ///     ``beganNetworkTask(label:fileID:line:)`` returned.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    public func finishedNetworkTask(
        forToken token: AnyObject, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        tracker.finish(token, origin: CallSite(fileID: fileID, line: line))
    }

    /// Ends the task of a token. If the token has no task, this method has no effect, and doesn't report misuse.
    ///
    /// - Returns: Whether the token had a task.
    @discardableResult
    package func finishedNetworkTask(ifToken token: AnyObject, origin: CallSite) -> Bool {
        tracker.finish(token, origin: origin, reportsMisuse: false)
    }

    // MARK: Opaque tokens and scopes

    /// Begins a task that lasts until the returned token is released or finished. Any thread; constant time.
    ///
    /// - Parameters:
    ///   - label: A name for diagnostics.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    /// - Returns: The token to hold while the network is in use.
    public func beganNetworkTask(
        label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NetworkTaskToken {
        begin(NetworkTaskToken.self, label, CallSite(fileID: fileID, line: line))
    }

    private func begin(_ tokenType: any Any.Type, _ label: String?, _ origin: CallSite) -> NetworkTaskToken {
        NetworkTaskToken(tracker.begin(tokenType: tokenType, label: label, origin: origin), tracker: tracker)
    }

    /// Runs an asynchronous closure as a task. The task ends when the closure returns or throws.
    ///
    /// ```swift
    /// let users = try await manager.withNetworkTask(label: "Users") {
    ///     try await api.users()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - label: A name for diagnostics.
    ///   - isolation: The actor on which `body` runs. The default is the caller's actor.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    ///   - body: The closure that uses the network.
    /// - Returns: The value that `body` returns.
    /// - Throws: The error that `body` throws.
    public func withNetworkTask<R, E: Error>(
        label: String? = nil, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        line: UInt = #line, _ body: () async throws(E) -> R
    ) async throws(E) -> R {
        let token = begin(Scope.self, label, CallSite(fileID: fileID, line: line))
        defer { token.finish() }
        return try await body()
    }

    /// Runs a synchronous closure as a task. The task ends when the closure returns or throws. Any thread.
    ///
    /// ```swift
    /// let data = try manager.withNetworkTask(label: "Report") {
    ///     try Data(contentsOf: url)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - label: A name for diagnostics.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    ///   - body: The closure that uses the network.
    /// - Returns: The value that `body` returns.
    /// - Throws: The error that `body` throws.
    public func withNetworkTask<R, E: Error>(
        label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line, _ body: () throws(E) -> R
    ) throws(E) -> R {
        let token = begin(Scope.self, label, CallSite(fileID: fileID, line: line))
        defer { token.finish() }
        return try body()
    }

    // MARK: The activity count

    /// Increments the activity count, which begins an anonymous task. Any thread; constant time.
    ///
    /// Balance each call with a call to ``decrementActivityCount(fileID:line:)``. Prefer tokens, because they can't
    /// become unbalanced.
    ///
    /// - Parameters:
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    public func incrementActivityCount(fileID: StaticString = #fileID, line: UInt = #line) {
        _ = tracker.begin(tokenType: nil, label: nil, origin: CallSite(fileID: fileID, line: line))
    }

    /// Decrements the activity count, which ends the task of the latest increment. If the count is zero, this method
    /// has no effect, and monitors receive a misuse event. Any thread; constant time.
    ///
    /// - Parameters:
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    public func decrementActivityCount(fileID: StaticString = #fileID, line: UInt = #line) {
        let origin = CallSite(fileID: fileID, line: line)
        tracker.change { $0.decrement(origin: origin) }
    }

    // MARK: Notifications

    /// Tracks the tasks of a client that posts notifications when its tasks begin and end, as AFNetworking does.
    ///
    /// ```swift
    /// manager.trackTasks(
    ///     begin: .taskDidResume, end: [.taskDidSuspend, .taskDidComplete]
    /// ) { $0.object as AnyObject? }
    /// ```
    ///
    /// The manager holds each object that `token` returns weakly, as the token of a task. Repeated notifications for an
    /// object and end notifications for unknown objects are not misuse, and don't begin or end another task. If `token`
    /// returns `nil`, the notification has no effect. Any thread.
    ///
    /// Pass a condition if the client may not post an end notification, or may post it before the begin notification.
    /// The condition works as in ``beganNetworkTask(withToken:label:fileID:line:while:)``. If it is already `false`
    /// when the task begins, the indicator isn't shown.
    ///
    /// - Parameters:
    ///   - begin: The notification that a task began.
    ///   - end: The notifications that a task ended.
    ///   - center: The notification center. Default `NotificationCenter.default`.
    ///   - label: A name of the tasks, for diagnostics.
    ///   - fileID: The file to name in diagnostics.
    ///   - line: The line to name in diagnostics.
    ///   - isUnderWay: A closure that returns whether a token is still using the network. The manager calls it on the
    ///     main actor.
    ///   - token: A closure that returns the object that represents the task. It runs on the thread that posts the
    ///     notification.
    /// - Returns: An attachment, which can stop the tracking. The tracking also ends when the manager is deallocated.
    @discardableResult
    public func trackTasks(
        begin: Notification.Name, end: [Notification.Name], center: NotificationCenter = .default,
        label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        while isUnderWay: (@MainActor @Sendable (AnyObject) -> Bool)? = nil,
        token: @escaping @Sendable (Notification) -> AnyObject?
    ) -> Attachment {
        let origin = CallSite(fileID: fileID, line: line)
        // The observers capture the tracker, so that they don't retain the manager. The end notifications are observed
        // first. Otherwise, a task could begin and end before its end is observed.
        var observers = end.map { name in
            center.addObserver(forName: name, object: nil, queue: nil) { [tracker] notification in
                guard let token = token(notification) else { return }
                tracker.finish(token, origin: origin, reportsMisuse: false)
            }
        }
        observers.append(
            center.addObserver(forName: begin, object: nil, queue: nil) { [tracker] notification in
                guard let token = token(notification) else { return }
                tracker.begin(token, label: label, origin: origin, reportsMisuse: false, while: isUnderWay)
            })
        // `nonisolated(unsafe)`: the observers are only passed back to the center, on any thread.
        nonisolated(unsafe) let observed = observers
        return attach(.notifications { for observer in observed { center.removeObserver(observer) } })
    }
}
