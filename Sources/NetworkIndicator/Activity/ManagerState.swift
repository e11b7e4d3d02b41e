/// The methods run while the lock of ``ActivityTracker`` is held. They therefore must not call schedulers, indicators,
/// monitors or conditions. They return any work to do after unlocking, for example as an ``Action`` for any thread or a
/// ``Turn`` for the main actor.
struct ManagerState: Sendable {
    var tasks = TaskRegistry()
    var visibility: Visibility
    var observers = Observers()
    var events = EventQueue<MonitorEvent>()
    var waiters: [ObjectIdentifier: Waiter] = [:]
    var sources: [any TaskSource] = []
    var configuration: NetworkIndicatorManager.Configuration
    var isEnabled = true

    var turn: MainWork?
    var isTurnRequested = false
    /// The exclusive upper bound of the indices that the next poll visits first.
    var nextUnvisitedCount = Int.max
    /// A task with a higher identifier began after the latest turn, so the turn hasn't seen it.
    private var latestSeenID: UInt64 = 0

    init(configuration: NetworkIndicatorManager.Configuration, at now: Timestamp) {
        self.configuration = configuration
        visibility = Visibility(at: now)
    }

    var isMonitored: Bool { !observers.monitors.isEmpty }

    // MARK: Required work

    mutating func action(requestsTurn: Bool = false, endedTaskBegan: Timestamp? = nil) -> Action? {
        let turn = requestsTurn ? requestedTurn() : nil
        let deliversEvents = events.beginDelivery()
        let waiters = readyWaiters()
        guard endedTaskBegan != nil || turn != nil || deliversEvents || !waiters.isEmpty else { return nil }
        return Action(
            endedTaskBegan: endedTaskBegan, turn: turn, deliversEvents: deliversEvents, waiters: waiters)
    }

    private mutating func requestedTurn() -> MainWork? {
        defer { isTurnRequested = true }
        return isTurnRequested ? nil : turn
    }

    var isIdle: Bool {
        tasks.isEmpty && !visibility.isVisible && observers.areOff && events.isDelivered
    }

    private mutating func readyWaiters() -> [Waiter] {
        guard !waiters.isEmpty, isIdle else { return [] }
        defer { waiters = [:] }
        return Array(waiters.values)
    }

    mutating func record(_ event: @autoclosure () -> NetworkTaskEvent) {
        if isMonitored { events.append(MonitorEvent(event: event(), monitors: observers.monitors)) }
    }

    mutating func recordEnd(of task: TaskRecord, _ end: NetworkTaskEnd, isReleased: Bool = false) {
        let isReleasedAtOnce = (isReleased || end == .deallocated) && task.id > latestSeenID
        record(.ended(NetworkTaskInfo(task, isReleasedAtOnce: isReleasedAtOnce), reason: end))
    }

    // MARK: Weak tasks

    mutating func begin(
        _ token: AnyObject, _ task: TaskRecord, reportsMisuse: Bool, while condition: TaskCondition?
    ) -> (WeakTask?, Action?) {
        let (isNew, replaced) = tasks.begin(token, task, while: condition)
        if isMonitored {
            if isNew {
                if let replaced { recordEnd(of: replaced.record, .deallocated) }
                record(.began(NetworkTaskInfo(task)))
            } else if reportsMisuse {
                record(.misuse(NetworkTaskMisuse(.alreadyBegan, task.tokenType, task.origin)))
            }
        }
        return (replaced, actionAfterBegin(at: task.began, needsTurn: tasks.weakCount == 1 || tasks.hasGrown))
    }

    mutating func finish(_ token: AnyObject, origin: CallSite, reportsMisuse: Bool) -> (WeakTask?, Action?) {
        guard let (task, isDeallocated) = tasks.finish(token, checksToken: isMonitored) else {
            if reportsMisuse { record(.misuse(NetworkTaskMisuse(.unknownToken, type(of: token), origin))) }
            return (nil, action())
        }
        recordEnd(of: task.record, isDeallocated ? .deallocated : .finished)
        return (task, actionAfterFinish(liveSince: task.trackedSince))
    }

    // MARK: Explicit tasks

    mutating func begin(_ task: TaskRecord) -> (ExplicitTasks.Handle, Action?) {
        let needsReportTimer = reportThreshold != nil && tasks.explicitTasks.unreportedSince == nil
        let handle = tasks.explicitTasks.insert(task)
        if isMonitored { record(.began(NetworkTaskInfo(task))) }
        // Until the end of the previous task is recorded, the app counts as busy. If a turn has already run in that
        // time, it found no task and set no timer for the show delay. A new task that is the only one therefore
        // requests another turn.
        let isOnlyTask = tasks.count == 1
        return (handle, actionAfterBegin(at: task.began, needsTurn: isOnlyTask || needsReportTimer))
    }

    mutating func finish(_ task: ExplicitTasks.Handle, isReleased: Bool = false) -> (TaskRecord?, Action?) {
        let liveSince = tasks.explicitTasks.liveSince
        guard let record = tasks.explicitTasks.remove(task) else { return (nil, nil) }
        recordEnd(of: record, .finished, isReleased: isReleased)
        return (record, actionAfterFinish(liveSince: liveSince ?? record.began))
    }

    mutating func decrement(origin: CallSite) -> (TaskRecord?, Action?) {
        guard let increment = tasks.explicitTasks.takeLatestIncrement() else {
            return (nil, report(NetworkTaskMisuse(.countBelowZero, nil, origin)))
        }
        return finish(increment)
    }

    private mutating func actionAfterBegin(at now: Timestamp, needsTurn: Bool) -> Action? {
        let isEdge = visibility.begin(at: now, hideDelay: configuration.hideDelay)
        return isEdge || needsTurn || isMonitored ? action(requestsTurn: isEdge || needsTurn) : nil
    }

    /// Reading the clock takes time, so the action records the end only if the end can affect when the indicator turns
    /// on or off.
    private mutating func actionAfterFinish(liveSince: Timestamp) -> Action? {
        let isKnownLive = tasks.explicitTasks.liveSince.map { $0 <= liveSince } ?? false
        let matters = tasks.isEmpty || !visibility.isVisible && !isKnownLive
        return matters || isMonitored ? action(endedTaskBegan: matters ? liveSince : nil) : nil
    }

    mutating func recordEnd(ofTaskSince began: Timestamp, at now: Timestamp) -> Action? {
        guard visibility.isBusy else { return nil }
        visibility.seeLiveTask(since: began, at: now, hideDelay: configuration.hideDelay)
        guard tasks.isEmpty else { return nil }
        visibility.becomeIdle(at: now)
        return action(requestsTurn: true)
    }

    mutating func report(_ misuse: @autoclosure () -> NetworkTaskMisuse) -> Action? {
        record(.misuse(misuse()))
        return action()
    }

    mutating func reset() -> (TaskRegistry, Action?) {
        // If the app counts as busy, the time until the reset is busy time, even if the last token was deallocated
        // earlier.
        (removeTasks(), action(endedTaskBegan: visibility.since))
    }

    private mutating func removeTasks() -> TaskRegistry {
        let old = tasks.removeAll()
        if isMonitored { for task in old.records { record(.ended(NetworkTaskInfo(task), reason: .reset)) } }
        return old
    }

    // MARK: The main actor

    mutating func beginTurn() -> Examination {
        isTurnRequested = true
        return beginExamination()
    }

    mutating func endTurn(_ examination: inout Examination, at now: Timestamp) -> Turn? {
        guard commit(&examination, at: now) else { return nil }
        (isTurnRequested, latestSeenID) = (false, tasks.lastID)
        if let liveSince = tasks.explicitTasks.liveSince {
            visibility.seeLiveTask(since: liveSince, at: now, hideDelay: configuration.hideDelay)
        } else if tasks.isEmpty, visibility.isBusy, examination.hasEndedTask {
            // If `hasEndedTask` is `false`, a call ended the last task, and the call's thread records the time of the
            // end.
            visibility.becomeIdle(at: now)
        }
        let wasVisible = visibility.isVisible
        let hasLiveTask = examination.oldestLive != nil && tasks.weakCount > 0 || !tasks.explicitTasks.isEmpty
        let deadline = visibility.step(isEnabled: isEnabled, hasLiveTask: hasLiveTask, at: now, configuration)
        let isVisible = visibility.isVisible
        if isVisible != wasVisible {
            record(.visibilityChanged(isVisible))
            observers.changeValue()
        }
        let expiredWaiters = waiters.values.filter { $0.isExpired(at: now) }
        for waiter in expiredWaiters { waiters[ObjectIdentifier(waiter)] = nil }
        let deadlines = [deadline, nextReport(at: now), waiters.values.lazy.compactMap(\.deadline).min()]
        let timers = [
            deadlines.compactMap(\.self).min().map(Turn.Timer.once),
            pollInterval(oldestLive: examination.oldestLive, at: now).map(Turn.Timer.repeating),
        ]
        return Turn(
            change: isVisible != wasVisible ? isVisible : nil,
            streams: isVisible != wasVisible ? Array(observers.streams.values) : [],
            timers: timers.compactMap(\.self),
            expiredWaiters: expiredWaiters,
            needsAction: !events.isDelivered || !waiters.isEmpty,
            needsDelivery: observers.hasPending,
            // The storage of an empty registry can still be large, so the caller releases it after unlocking.
            storage: tasks.isEmpty ? tasks.removeAll() : nil)
    }

    /// While a caller waits, polls are frequent, so that a program ends promptly.
    private func pollInterval(oldestLive: Timestamp?, at now: Timestamp) -> Duration? {
        guard tasks.weakCount > 0 else { return nil }
        let interval = configuration.completionCheckInterval
        return Examination.pollInterval(
            age: oldestLive?.duration(to: now) ?? .zero,
            atMost: waiters.isEmpty ? interval : min(interval, Examination.longestIntervalForWaiters))
    }

    // MARK: Long-running tasks

    private var reportThreshold: Duration? { isMonitored ? configuration.longRunningTaskThreshold : nil }

    mutating func reportIfLongRunning(_ task: WeakTask.Handle, at now: Timestamp) {
        guard let threshold = reportThreshold else { return }
        if let record = tasks.markAsLongRunning(task, after: threshold, at: now) {
            self.record(.stillRunning(NetworkTaskInfo(record, asOf: now)))
        }
    }

    /// Reports the explicit tasks that have become long-running, and returns the time of the next report. Polls report
    /// the weak tasks.
    private mutating func nextReport(at now: Timestamp) -> Timestamp? {
        guard let threshold = reportThreshold, !tasks.isEmpty, let since = tasks.explicitTasks.unreportedSince else {
            return nil
        }
        guard since + threshold <= now else { return since + threshold }
        for record in tasks.explicitTasks.markAsLongRunning(after: threshold, at: now) {
            self.record(.stillRunning(NetworkTaskInfo(record, asOf: now)))
        }
        return tasks.explicitTasks.unreportedSince.map { $0 + threshold }
    }

    // MARK: Settings

    mutating func replace(
        _ old: NetworkIndicatorManager.Configuration, with new: NetworkIndicatorManager.Configuration, at now: Timestamp
    ) -> (isReplaced: Bool, Action?) {
        guard configuration == old else { return (false, nil) }
        // A longer hide delay must not revive a busy period that has already ended.
        visibility.endBusyPeriodIfIdle(at: now, hideDelay: old.hideDelay)
        configuration = new
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
        action(requestsTurn: observers.detach(attachment))
    }

    /// The caller makes the delivery at once: other code could detach the indicator in between. If the indicator runs a
    /// nested run loop, the requested turn makes the other deliveries in that loop.
    mutating func nextDelivery(after previous: Delivery?) -> (Delivery?, Action?) {
        if previous != nil { observers.endDelivery() }
        guard let next = observers.nextDelivery(visibility.isVisible) else { return (nil, action()) }
        let turn = observers.hasPending ? requestedTurn() : nil
        return (next, turn.map { Action(turn: $0) })
    }

    mutating func nextEvents(atMost limit: Int) -> ([MonitorEvent], Action?) {
        let next = events.next(atMost: limit)
        return (next, next.isEmpty ? action() : nil)
    }

    // MARK: The manager

    typealias Remains = (tasks: TaskRegistry, observers: Observers, turn: MainWork?, sources: [any TaskSource])

    mutating func end() -> (Remains, Action?) {
        let tasks = removeTasks()
        if visibility.isVisible { record(.visibilityChanged(false)) }
        let action = action()
        defer { (observers, turn, sources) = (Observers(), nil, []) }
        return ((tasks, observers, turn, sources), action)
    }
}
