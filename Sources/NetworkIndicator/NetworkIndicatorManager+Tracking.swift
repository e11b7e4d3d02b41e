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
    /// - A boxed value (`42 as AnyObject`). On Linux it is deallocated at once. On Apple's platforms many are tagged
    ///   pointers: they are never deallocated, and equal values are one token.
    /// - An immortal object, such as a class or a constant string. It is never deallocated.
    /// - An Objective-C object that refuses weak references (`allowsWeakReference` returns `NO`). Using it as a token
    ///   aborts the program.
    ///
    /// If an Objective-C class overrides `retain`, `release` or `retainWeakReference`, these methods run while the
    /// manager holds a lock. They must not call the manager.
    ///
    /// The manager loads the token on the main actor only. If its last other reference is released during a poll, the
    /// token is deallocated on the main thread.
    ///
    /// Beginning a live token again replaces its label and condition, and one finish ends it. A finished token can begin
    /// again. On Apple's platforms an Objective-C object must not begin a task in its own `dealloc`. Any thread; constant
    /// time.
    ///
    /// - Parameters:
    ///   - token: The object. It may be a token of several managers.
    ///   - label: A name for diagnostics.
    ///   - fileID: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    public func beganNetworkTask(
        withToken token: AnyObject, label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        tracker.begin(token, label: label, origin: CallSite(fileID: fileID, line: line))
    }

    /// Begins a task that lasts until `token` is deallocated or finished, or a condition is false.
    ///
    /// Use it for an object that outlives its work, such as an `Operation` in an array:
    ///
    /// ```swift
    /// manager.beganNetworkTask(withToken: operation) { !$0.isFinished }
    /// ```
    ///
    /// The manager calls the condition on the main actor, outside every lock: at polls that examine the task, before it
    /// shows the indicator, and in ``activeTasks`` and similar properties. The task ends when the condition returns
    /// `false` once. Return quickly.
    ///
    /// A condition may call every method of the manager. Properties such as ``activeTasks`` don't call conditions then,
    /// and include every task whose object is alive.
    ///
    /// Otherwise it behaves like ``beganNetworkTask(withToken:label:fileID:line:)``. Any thread; constant time.
    ///
    /// - Parameters:
    ///   - token: The object.
    ///   - label: A name for diagnostics.
    ///   - fileID: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    ///   - isUnderWay: Returns whether the token is still using the network.
    public func beganNetworkTask<Token: AnyObject & Sendable>(
        withToken token: Token, label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        while isUnderWay: @escaping @MainActor @Sendable (Token) -> Bool
    ) {
        let origin = CallSite(fileID: fileID, line: line)
        beganNetworkTask(withToken: token, label: label, origin: origin, reportsMisuse: true, while: isUnderWay)
    }

    /// - Parameter reportsMisuse: Whether monitors are notified if the token is already a task.
    package func beganNetworkTask<Token: AnyObject & Sendable>(
        withToken token: Token, label: String?, origin: CallSite, reportsMisuse: Bool,
        while isUnderWay: @escaping @MainActor @Sendable (Token) -> Bool
    ) {
        tracker.begin(
            token, label: label, origin: origin, reportsMisuse: reportsMisuse, while: { isUnderWay($0 as! Token) })
    }

    /// Ends a task now, before its token is deallocated.
    ///
    /// Finishing is idempotent: for an object that isn't a task it has no effect, except that monitors receive a misuse
    /// event. An object at the address of a deallocated token ends that token's task, which is no misuse. It may be
    /// called from the token's own `deinit`. Any thread; constant time.
    ///
    /// The indicator stays on while the manager has not detected the deallocation of an earlier token.
    ///
    /// - Parameters:
    ///   - token: The object that began the task, or the token that a begin returned.
    ///   - fileID: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    public func finishedNetworkTask(
        forToken token: AnyObject, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        tracker.finish(token, origin: CallSite(fileID: fileID, line: line))
    }

    /// Ends a task, if the token is one. Otherwise it has no effect, and reports no misuse.
    ///
    /// - Returns: Whether the token was a task.
    @discardableResult
    package func finishedNetworkTask(ifToken token: AnyObject, origin: CallSite) -> Bool {
        tracker.finish(token, origin: origin, reportsMisuse: false)
    }

    // MARK: Opaque tokens and scopes

    /// Begins a task that lasts until the returned token is released or finished. Any thread; constant time.
    ///
    /// - Parameters:
    ///   - label: A name for diagnostics.
    ///   - fileID: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    /// - Returns: The token to hold while the network is in use.
    public func beganNetworkTask(
        label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NetworkTaskToken {
        begin(NetworkTaskToken.self, label, CallSite(fileID: fileID, line: line))
    }

    private func begin(_ tokenType: any Any.Type, _ label: String?, _ origin: CallSite) -> NetworkTaskToken {
        NetworkTaskToken(tracker.begin(tokenType: tokenType, label: label, origin: origin), tracker: tracker)
    }

    /// Runs an asynchronous closure as a task, which ends when the closure returns or throws.
    ///
    /// ```swift
    /// let users = try await manager.withNetworkTask(label: "Users") {
    ///     try await api.users()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - label: A name for diagnostics.
    ///   - isolation: The actor on which `body` runs: the caller's.
    ///   - fileID: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    ///   - body: Uses the network.
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

    /// Runs a synchronous closure as a task, which ends when the closure returns or throws. Any thread.
    ///
    /// ```swift
    /// let data = try manager.withNetworkTask(label: "Report") {
    ///     try Data(contentsOf: url)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - label: A name for diagnostics.
    ///   - fileID: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    ///   - body: Uses the network.
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

    /// Begins one more anonymous task. Any thread; constant time.
    ///
    /// Each increment needs a decrement. Prefer tokens, which can't become unbalanced.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    public func incrementActivityCount(fileID: StaticString = #fileID, line: UInt = #line) {
        _ = tracker.begin(tokenType: nil, label: nil, origin: CallSite(fileID: fileID, line: line))
    }

    /// Ends the latest increment. If the count is zero, it has no effect, and monitors receive a misuse event. Any
    /// thread; constant time.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    public func decrementActivityCount(fileID: StaticString = #fileID, line: UInt = #line) {
        let origin = CallSite(fileID: fileID, line: line)
        tracker.change { $0.decrement(origin: origin) }
    }

    // MARK: Notifications

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
    /// Pass a condition if an end can be missing, or can be posted before its begin. It works as in
    /// ``beganNetworkTask(withToken:label:fileID:line:while:)``: if it is already `false` at a begin, the indicator isn't
    /// shown.
    ///
    /// - Parameters:
    ///   - begin: The notification of a begin.
    ///   - end: The notifications that end a task.
    ///   - center: The notification center. Default `NotificationCenter.default`.
    ///   - label: A name of the tasks for diagnostics.
    ///   - fileID: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    ///   - isUnderWay: Returns whether a token is still using the network. The manager calls it on the main actor.
    ///   - token: Returns the object that represents the task. It runs on the thread that posts.
    /// - Returns: An attachment, which can stop the tracking. The tracking also ends with the manager.
    @discardableResult
    public func trackTasks(
        begin: Notification.Name, end: [Notification.Name], center: NotificationCenter = .default,
        label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        while isUnderWay: (@MainActor @Sendable (AnyObject) -> Bool)? = nil,
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
                guard let token = token(notification) else { return }
                tracker.begin(token, label: label, origin: origin, reportsMisuse: false, while: isUnderWay)
            })
        // `nonisolated(unsafe)`: the observers are only passed back to the center, on any thread.
        nonisolated(unsafe) let observed = observers
        return attach(.notifications { for observer in observed { center.removeObserver(observer) } })
    }
}
