import Dispatch

typealias MainWork = @MainActor @Sendable () -> Void

/// Describes the work that a change requires after unlocking, on any thread. Most changes require no such work.
final class Action {
    /// The start time of a task that the caller has ended; `nil` unless the time of the end must be recorded.
    let endedTaskBegan: Timestamp?
    /// The turn to run on the main actor.
    let turn: MainWork?
    /// Whether this thread must deliver the pending events to the monitors.
    let deliversEvents: Bool
    /// The calls of `waitUntilIdle()` to resume.
    let waiters: [Waiter]

    init(endedTaskBegan: Timestamp?, turn: MainWork?, deliversEvents: Bool, waiters: [Waiter]) {
        self.endedTaskBegan = endedTaskBegan
        self.turn = turn
        self.deliversEvents = deliversEvents
        self.waiters = waiters
    }
}

/// Guards the state that all threads share with one lock.
///
/// Tokens and attachments hold the tracker, so the tracker may outlive its manager.
final class ActivityTracker: Sendable {
    let state: Lock<ManagerState>
    let scheduler: any ActivityScheduler

    init(configuration: NetworkIndicatorManager.Configuration, scheduler: any ActivityScheduler) {
        self.scheduler = scheduler
        state = Lock(ManagerState(configuration: configuration, at: Timestamp(scheduler.now)))
    }

    var now: Timestamp { Timestamp(scheduler.now) }

    func read<R>(_ body: (ManagerState) -> R) -> R { state.withLock { body($0) } }

    /// Changes the state while the lock is held, and then performs the work that the change requires.
    ///
    /// - Parameter body: A closure that returns the values that it loaded or removed, and the required work. This
    ///   method returns these values, so that its caller releases them last. Releasing a user's object can run foreign
    ///   code.
    @inline(__always) @discardableResult
    func change<R>(_ body: (inout ManagerState) -> (R, Action?)) -> R {
        let (result, action) = state.withLock(body)
        if let action { perform(action) }
        return result
    }

    func change(_ body: (inout ManagerState) -> Action?) { change { ((), body(&$0)) } }

    func perform(_ action: Action) {
        if let began = action.endedTaskBegan {
            let now = self.now
            change { $0.recordEnd(ofTaskSince: began, at: now) }
        }
        if let turn = action.turn { scheduler.performOnMain(turn) }
        if action.deliversEvents { deliverEvents() }
        for waiter in action.waiters { waiter.resume() }
    }

    // MARK: Tasks

    /// Begins a task that lasts as long as a token.
    ///
    /// - Parameter reportsMisuse: Whether monitors are notified if the token already has a task.
    func begin(
        _ token: AnyObject, label: String?, origin: CallSite, reportsMisuse: Bool = true,
        while condition: TaskCondition? = nil
    ) {
        let type: any Any.Type = type(of: token)
        if type == NetworkTaskToken.self { return change { $0.report(NetworkTaskMisuse(.foreignToken, type, origin)) } }
        let now = self.now
        let released = change { state in
            let task = state.tasks.makeRecord(label: label, tokenType: type, origin: origin, at: now)
            return state.begin(token, task, reportsMisuse: reportsMisuse, while: condition)
        }
        withExtendedLifetime(released) {}
    }

    /// Ends the task of a token.
    ///
    /// - Parameter reportsMisuse: Whether monitors are notified if the token has no task.
    /// - Returns: Whether the token had a task.
    @discardableResult
    func finish(_ token: AnyObject, origin: CallSite, reportsMisuse: Bool = true) -> Bool {
        // Comparing the types first avoids casting other tokens. A cast retains the token, which is slow if the token
        // has weak references.
        if type(of: token) == NetworkTaskToken.self, let token = token as? NetworkTaskToken {
            let isOwn = token.tracker === self
            if isOwn, token.finishTask() { return true }
            let kind: NetworkTaskMisuse.Kind = isOwn ? .unknownToken : .foreignToken
            change { $0.report(NetworkTaskMisuse(kind, NetworkTaskToken.self, origin)) }
            return false
        }
        let released = change { $0.finish(token, origin: origin, reportsMisuse: reportsMisuse) }
        return released != nil
    }

    /// Begins an explicit task.
    ///
    /// - Parameter tokenType: The type of the token; `nil` for an increment of the activity count.
    func begin(tokenType: (any Any.Type)?, label: String?, origin: CallSite) -> ExplicitTasks.Handle {
        let now = self.now
        return change { $0.begin($0.tasks.makeRecord(label: label, tokenType: tokenType, origin: origin, at: now)) }
    }

    // MARK: Events

    /// The maximum number of later events to deliver inline.
    private static let inlineDeliveryLimit = 256

    /// Delivers pending events to the monitors.
    ///
    /// Any call may deliver events of other threads, even on the main thread. If events are added faster than monitors
    /// receive them, a background thread continues the same delivery. This keeps the events in order.
    private func deliverEvents() {
        deliverNext(atMost: .max)
        var budget = Self.inlineDeliveryLimit
        while budget > 0 {
            let count = deliverNext(atMost: budget)
            if count == 0 { return }
            budget -= count
        }
        DispatchQueue.global().async { while self.deliverNext(atMost: .max) > 0 {} }
    }

    /// Delivers the next events to the monitors.
    ///
    /// - Returns: The number of delivered events. Zero means that the delivery is complete.
    @discardableResult
    private func deliverNext(atMost limit: Int) -> Int {
        let next = change { $0.nextEvents(atMost: limit) }
        for events in next { events.deliver() }
        return next.count
    }
}
