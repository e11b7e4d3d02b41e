/// All that a manager knows: one value behind one lock. Each call changes it, and it says what follows.
///
/// The route of a weak task:
///
///     beganNetworkTask(withToken:)                                           (any thread)
///       └ ActivityTracker.begin ─ lock ─▶ ManagerState.begin
///                                           ├ TaskRegistry.begin     stores a WeakWrapper and a WeakTask
///                                           ├ Visibility.begin       starts busy time, if the app was idle
///                                           └ Action                 requests a turn, if the app was idle
///
///     ActivityTracker.turn()                                                 (main actor; polls repeat it)
///       ├ load     ─ lock ─▶ ManagerState.beginTurn, load    a batch of Examination.Entry values
///       ├ ask                                                their conditions
///       ├ commit   ─ lock ─▶ ManagerState.endTurn            removes ended tasks from the TaskRegistry
///       │                      ├ countBusyTime               Visibility.seeLiveTask, or becomeIdle
///       │                      ├ Visibility.step             shows, hides, or returns a deadline
///       │                      └ Turn                        what the main actor does next
///       └ act                timers, streams, EventQueue, Observers.nextDelivery, waiters
///
///     finishedNetworkTask(forToken:)                                         (any thread)
///       └ ActivityTracker.finish ─ lock ─▶ ManagerState.finish ─▶ countBusyTime
///
/// The methods run while the lock of ``ActivityTracker`` is held. They therefore must not call indicators, monitors or
/// conditions, and read only the time of the scheduler. They return any work to do after unlocking, for example as an
/// ``Action`` for any thread or a ``Turn`` for the main actor.
struct ManagerState: Sendable {
    typealias Configuration = NetworkIndicatorManager.Configuration

    var tasks = TaskRegistry()
    var visibility: Visibility
    var observers = Observers()
    var events = EventQueue()
    var waiters: [ObjectIdentifier: Waiter] = [:]
    var sources: [any TaskSource] = []
    /// Detached monitors, forgotten tasks and the sources of a deallocated manager, which the next turn releases on the
    /// main actor.
    var remains: [any Sendable] = []
    var configuration: Configuration
    var isEnabled = true

    var isTurnRequested = false
    /// Whether the next turn must ask the sources for their tasks before a caller of `waitUntilIdle()` may return.
    var asksSources = false
    /// This is `nil` if no poll is scheduled.
    var pollInterval: Duration?
    /// A task with a higher identifier began after the latest turn, so the turn hasn't seen it.
    var latestSeenID: UInt64 = 0
    /// The tasks until this identifier have been reported as long-running.
    var latestReportedID: UInt64 = 0
    /// The time of the next report of a long-running task. If this is `nil`, only a later task can become long-running.
    var nextReport: Timestamp?

    private let scheduler: any ActivityScheduler

    init(configuration: Configuration, scheduler: any ActivityScheduler) {
        (self.configuration, self.scheduler) = (configuration, scheduler)
        visibility = Visibility(at: Timestamp(scheduler.now))
    }

    /// Because the lock is held, times are in the order of the calls. Reading the clock takes time, so calls read it
    /// only where the time matters.
    var now: Timestamp { Timestamp(scheduler.now) }

    var isMonitored: Bool { !observers.monitors.isEmpty }
    var reportThreshold: Duration? { isMonitored ? configuration.longRunningTaskThreshold : nil }

    // MARK: Required work

    mutating func action(requestsTurn: Bool = false) -> Action? {
        let deliversEvents = events.beginDelivery()
        let waiters = readyWaiters()
        let requestsTurn = (requestsTurn || !waiters.isEmpty) && !isTurnRequested
        if requestsTurn { isTurnRequested = true }
        guard requestsTurn || deliversEvents || !waiters.isEmpty else { return nil }
        let action = Action()
        (action.requestsTurn, action.deliversEvents, action.waiters) = (requestsTurn, deliversEvents, waiters)
        return action
    }

    var isIdle: Bool { tasks.isEmpty && !visibility.isVisible && observers.areOff && events.isDelivered }

    private mutating func readyWaiters() -> [Waiter] {
        // While a turn is requested, the sources may have tasks that have not begun.
        guard !waiters.isEmpty, isIdle, !asksSources, sources.isEmpty || !isTurnRequested else { return [] }
        defer { waiters = [:] }
        return Array(waiters.values)
    }

    /// The turn after the last waiter cancels the timers for waiters.
    mutating func leave(_ waiter: Waiter) -> Action? {
        let hasLeft = waiters.removeValue(forKey: waiter.id) != nil
        return action(requestsTurn: hasLeft && waiters.isEmpty)
    }

    mutating func record(_ event: @autoclosure () -> NetworkTaskEvent) {
        if isMonitored { events.append((event(), observers.monitors)) }
    }

    mutating func recordEnd(of task: TaskRecord, _ end: NetworkTaskEnd, isReleased: Bool = false) {
        let isReleasedAtOnce = (isReleased || end == .deallocated) && task.id > latestSeenID
        record(.ended(NetworkTaskInfo(record: task, isReleasedAtOnce: isReleasedAtOnce), reason: end))
    }

    // MARK: Weak tasks

    mutating func begin(
        _ token: AnyObject, _ task: TaskRecord, reportsMisuse: Bool, while condition: TaskCondition?
    ) -> (WeakTask?, Action?) {
        let (isNew, replaced) = tasks.begin(token, task, while: condition)
        if isNew {
            if let replaced { recordEnd(of: replaced.record, .deallocated) }
            record(.began(NetworkTaskInfo(record: task)))
        } else if reportsMisuse {
            record(.misuse(NetworkTaskMisuse(.alreadyBegan, task.tokenType, task.origin)))
        }
        return (replaced, actionAfterBegin(at: task.began, needsTurn: tasks.weakCount == 1 || tasks.hasGrown))
    }

    mutating func finish(_ token: AnyObject, origin: CallSite, reportsMisuse: Bool) -> (WeakTask?, Action?) {
        guard let (task, isDeallocated) = tasks.finish(token, checksToken: isMonitored) else {
            return (nil, reportsMisuse ? report(.unknownToken, type(of: token), origin) : nil)
        }
        recordEnd(of: task.record, isDeallocated ? .deallocated : .finished)
        return (task, actionAfterFinish(liveSince: task.record.began))
    }

    // MARK: Explicit tasks

    mutating func begin(_ task: TaskRecord) -> (ExplicitTasks.Handle, Action?) {
        record(.began(NetworkTaskInfo(record: task)))
        return (tasks.explicitTasks.insert(task), actionAfterBegin(at: task.began))
    }

    mutating func finish(_ task: ExplicitTasks.Handle, isReleased: Bool = false) -> (TaskRecord?, Action?) {
        guard let record = tasks.explicitTasks.remove(task) else { return (nil, nil) }
        recordEnd(of: record, .finished, isReleased: isReleased)
        return (record, actionAfterFinish(liveSince: tasks.explicitTasks.nonEmptySince))
    }

    mutating func decrement(origin: CallSite) -> (TaskRecord?, Action?) {
        if let increment = tasks.explicitTasks.takeLatestIncrement() { return finish(increment) }
        return (nil, report(.countBelowZero, nil, origin))
    }

    private mutating func actionAfterBegin(at now: Timestamp, needsTurn: Bool = false) -> Action? {
        let isEdge = visibility.begin(at: now, hideDelay: configuration.hideDelay)
        let needsReportTimer = nextReport == nil && reportThreshold != nil
        // Calling `action` without need would take up to 9 % more instructions.
        let requestsTurn = (isEdge || needsTurn || needsReportTimer) && !isTurnRequested
        return requestsTurn || isMonitored ? action(requestsTurn: requestsTurn) : nil
    }

    /// The end of a task matters only if it can affect when the indicator turns on or off.
    private mutating func actionAfterFinish(liveSince: Timestamp) -> Action? {
        let isKnownLive = tasks.explicitTasks.liveSince.map { $0 <= liveSince } ?? false
        let requestsTurn = tasks.isEmpty
        if requestsTurn || !visibility.isVisible && !isKnownLive { countBusyTime(since: liveSince, at: now) }
        return requestsTurn || isMonitored ? action(requestsTurn: requestsTurn) : nil
    }

    /// If this method were inlined, beginning and finishing a task would take 2 % more instructions.
    ///
    /// - Parameter began: The time since which a task is known to be live, if any.
    @inline(never)
    mutating func countBusyTime(since began: Timestamp?, at now: Timestamp) {
        // Between two polls, the manager doesn't detect pauses. The shortest interval is 10 ms.
        let shortestPause = max(configuration.hideDelay, pollInterval ?? .milliseconds(10))
        if let began { visibility.seeLiveTask(since: began, at: now, shortestPause: shortestPause) }
        if tasks.isEmpty { visibility.becomeIdle(at: now) }
    }

    mutating func report(_ kind: NetworkTaskMisuse.Kind, _ type: (any Any.Type)?, _ origin: CallSite) -> Action? {
        record(.misuse(NetworkTaskMisuse(kind, type, origin)))
        return action()
    }

    /// The time until the reset is busy time, even if the last token was deallocated earlier.
    mutating func reset() -> Action? {
        let began = (tasks.records.map(\.began) + [tasks.explicitTasks.liveSince].compactMap(\.self)).min()
        removeTasks()
        countBusyTime(since: began, at: now)
        return action(requestsTurn: true)
    }

    private mutating func removeTasks() {
        let old = tasks.removeAll()
        if isMonitored { for task in old.records { record(.ended(NetworkTaskInfo(record: task), reason: .reset)) } }
        remains.append(old)
    }

    // MARK: Settings

    mutating func replace(_ old: Configuration, with new: Configuration) -> (isReplaced: Bool, Action?) {
        guard configuration == old else { return (false, nil) }
        // A longer hide delay must not revive a busy period that has already ended.
        visibility.endPeriodIfIdle(at: now, hideDelay: old.hideDelay)
        (configuration, nextReport) = (new, nil)
        return (true, action(requestsTurn: new != old))
    }

    mutating func enable(_ isEnabled: Bool) -> Action? {
        defer { self.isEnabled = isEnabled }
        return action(requestsTurn: isEnabled != self.isEnabled)
    }

    // MARK: Observers

    mutating func attach(_ new: Observers.Attachment) -> (Observers.Attachment, Action?) {
        (observers.attach(new), action(requestsTurn: true))
    }

    mutating func detach(_ attachment: NetworkIndicatorManager.Attachment) -> Action? {
        let needsTurn = observers.detach(attachment)
        if needsTurn, case .monitor = attachment.content { remains.append(attachment) }
        return action(requestsTurn: needsTurn)
    }

    /// The caller makes the delivery at once: other code could detach the indicator in between. If the indicator runs a
    /// nested run loop, the requested turn makes the other deliveries in that loop.
    mutating func nextDelivery(after previous: Observers.Delivery?) -> (Observers.Delivery?, Action?) {
        if let previous { observers.end(previous) }
        let next = observers.nextDelivery(visibility.isVisible)
        return (next, action(requestsTurn: next != nil && observers.hasPending(visibility.isVisible)))
    }

    mutating func nextEvents(atMost limit: Int) -> ([MonitorEvent], Action?) {
        let next = events.next(atMost: limit)
        return (next, next.isEmpty ? action(requestsTurn: !remains.isEmpty) : nil)
    }

    // MARK: The manager

    /// The caller runs a last turn, which turns the indicators off.
    mutating func end() -> Action? {
        removeTasks()
        if visibility.isVisible { record(.visibilityChanged(false)) }
        for monitor in observers.monitors.values where observers.detach(monitor) { remains.append(monitor) }
        remains += sources as [any Sendable]
        (sources, isEnabled) = ([], false)
        return action()
    }
}
