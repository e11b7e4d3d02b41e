/// The methods run while the lock of ``ActivityTracker`` is held. They therefore must not call schedulers, indicators,
/// monitors or conditions. They return any work to do after unlocking, for example as an ``Action`` for any thread or a
/// ``Turn`` for the main actor.
struct ManagerState: Sendable {
    var tasks = TaskRegistry()
    var visibility: Visibility
    var observers = Observers()
    var events = EventQueue<MonitorEvent>()
    var waiters: [Waiter] = []
    var sources: [any TaskSource] = []
    var configuration: NetworkIndicatorManager.Configuration
    var isEnabled = true

    var turn: MainWork?
    var isTurnRequested = false
    var pollInterval: Duration?
    var witness: Witness?
    var latestVisit: Timestamp

    init(configuration: NetworkIndicatorManager.Configuration, at now: Timestamp) {
        self.configuration = configuration
        visibility = Visibility(at: now)
        latestVisit = now
    }

    var isMonitored: Bool { !observers.monitors.isEmpty }

    // MARK: Required work

    mutating func action(requestsTurn: Bool = false, endedTaskBegan: Timestamp? = nil) -> Action? {
        let turn = requestsTurn && !isTurnRequested ? turn : nil
        if turn != nil { isTurnRequested = true }
        let deliversEvents = events.beginDelivery()
        let waiters = readyWaiters()
        guard endedTaskBegan != nil || turn != nil || deliversEvents || !waiters.isEmpty else { return nil }
        return Action(
            endedTaskBegan: endedTaskBegan, turn: turn, deliversEvents: deliversEvents, waiters: waiters)
    }

    var isIdle: Bool {
        tasks.isEmpty && !visibility.isVisible && observers.areOff && events.isDelivered
    }

    private mutating func readyWaiters() -> [Waiter] {
        guard !waiters.isEmpty, isIdle else { return [] }
        defer { waiters = [] }
        return waiters
    }

    mutating func record(_ event: @autoclosure () -> NetworkTaskEvent) {
        if isMonitored { events.append(MonitorEvent(event: event(), monitors: observers.monitors)) }
    }

    // MARK: Weak tasks

    mutating func begin(
        _ token: AnyObject, _ task: TaskRecord, reportsMisuse: Bool, while condition: TaskCondition?
    ) -> (WeakTask?, Action?) {
        let (isNew, replaced) = tasks.begin(token, task, while: condition)
        if isMonitored {
            if isNew {
                if let replaced { record(.ended(NetworkTaskInfo(replaced.record), .deallocated)) }
                record(.began(NetworkTaskInfo(task)))
            } else if reportsMisuse {
                record(.misuse(NetworkTaskMisuse(.alreadyBegan, task.tokenType, task.origin)))
            }
        }
        return (replaced, actionAfterBegin(at: task.began, needsTurn: witness == nil || tasks.hasGrown))
    }

    mutating func finish(_ token: AnyObject, origin: CallSite, reportsMisuse: Bool) -> (WeakTask?, Action?) {
        guard let (task, isDeallocated) = tasks.finish(token, checksToken: isMonitored) else {
            if reportsMisuse { record(.misuse(NetworkTaskMisuse(.unknownToken, type(of: token), origin))) }
            return (nil, action())
        }
        if isMonitored { record(.ended(NetworkTaskInfo(task.record), isDeallocated ? .deallocated : .finished)) }
        return (task, actionAfterFinish(liveSince: task.record.began))
    }

    // MARK: Explicit tasks

    mutating func begin(_ task: TaskRecord) -> (ExplicitTasks.Handle, Action?) {
        let handle = tasks.explicitTasks.insert(task)
        if isMonitored { record(.began(NetworkTaskInfo(task))) }
        // Until the end of the previous task is recorded, the app counts as busy. If a turn has already run in that
        // time, it found no task and set no timer for the show delay. A new task that is the only one therefore
        // requests another turn.
        let isOnlyTask = tasks.count == 1
        return (handle, actionAfterBegin(at: task.began, needsTurn: isOnlyTask || needsReportTimer))
    }

    mutating func finish(_ task: ExplicitTasks.Handle) -> (TaskRecord?, Action?) {
        let liveSince = tasks.explicitTasks.liveSince
        guard let record = tasks.explicitTasks.remove(task) else { return (nil, nil) }
        self.record(.ended(NetworkTaskInfo(record), .finished))
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
        visibility.seeLiveTask(
            since: began, at: now, hideDelay: configuration.hideDelay, isOldest: tasks.isEmpty)
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
        if isMonitored { for task in old.records { record(.ended(NetworkTaskInfo(task), .reset)) } }
        return old
    }

    // MARK: The main actor

    mutating func beginTurn() -> Examination {
        isTurnRequested = true
        return beginExamination()
    }

    mutating func endTurn(_ examination: inout Examination, at now: Timestamp) -> Turn? {
        guard commit(&examination, at: now) else { return nil }
        pollInterval = nextPollInterval(at: now)
        if let pollInterval, visitEveryTaskForMonitors(&examination, nextPoll: now + pollInterval) { return nil }
        isTurnRequested = false
        let wasVisible = visibility.isVisible
        let deadline = visibility.step(isEnabled: isEnabled, hasTasks: !tasks.isEmpty, at: now, configuration)
        let isVisible = visibility.isVisible
        if isVisible != wasVisible {
            record(.visibilityChanged(isVisible))
            observers.changeValue()
        }
        let expiredWaiters = waiters.filter { $0.isExpired(at: now) }
        waiters.removeAll { $0.isExpired(at: now) }
        let nextDeadline = ([deadline] + waiters.map(\.deadline)).compactMap(\.self).min()
        return Turn(
            change: isVisible != wasVisible ? isVisible : nil,
            streams: isVisible != wasVisible ? observers.streams : [],
            delivery: observers.nextDelivery(isVisible),
            timers: [nextDeadline.map(Turn.Timer.once), pollInterval.map(Turn.Timer.repeating)].compactMap(\.self),
            expiredWaiters: expiredWaiters,
            needsAction: !events.isDelivered || !waiters.isEmpty,
            // The storage of an empty registry can still be large, so the caller releases it after unlocking.
            storage: tasks.isEmpty ? tasks.removeAll() : nil)
    }

    mutating func endQuery(_ examination: inout Examination, at now: Timestamp) -> (Void?, Action?) {
        let isOver = commit(&examination, at: now)
        return (isOver ? () : nil, action(requestsTurn: isOver && tasks.isEmpty))
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

    mutating func endDelivery() -> (Delivery?, Action?) {
        observers.endDelivery()
        return (observers.nextDelivery(visibility.isVisible), action())
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
