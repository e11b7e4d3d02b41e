/// The state of a manager: its tasks, its visibility, its observers and its settings.
///
/// It is a value without a clock, a thread or an indicator. ``ActivityTracker`` guards it with one lock. Each method
/// returns what follows from the change: an ``Action`` for any thread, or a ``Turn`` for the main actor.
struct ActivityState: Sendable {
    var tasks = TaskRegistry()
    var visibility: Visibility
    var observers = Observers()
    var events = EventQueue<MonitorEvent>()
    var waiters: [Waiter] = []
    var sources: [any TaskSource] = []
    var configuration: NetworkIndicatorManager.Configuration
    var isEnabled = true

    /// Runs a turn; `nil` before the manager is initialized, and after it is deallocated.
    var turn: MainWork?
    /// Whether a requested turn has not committed yet. It includes later changes, so they need no other turn.
    var isTurnRequested = false
    /// The interval of the poll timer; `nil` while there is none.
    var pollInterval: Duration?
    /// The sweep that turns continue. It examines every task after the number of tasks has grown, and regularly for
    /// monitors.
    var sweep = Sweep(.anyLiveTask)
    /// When the latest examination of every task for monitors began.
    var lastFullSweep: Timestamp
    var lastWeakBegin: Timestamp

    #if DEBUG
    /// How often the tracker has taken its lock, for tests.
    var lockCount = 0
    #endif

    init(configuration: NetworkIndicatorManager.Configuration, at now: Timestamp) {
        self.configuration = configuration
        visibility = Visibility(at: now)
        (lastFullSweep, lastWeakBegin) = (now, now)
    }

    var isMonitored: Bool { !observers.monitors.isEmpty }

    // MARK: What follows

    /// Returns what follows from a change; `nil` for most changes. The first request for a turn returns the work for
    /// the main actor; later requests return none.
    mutating func action(requestsTurn: Bool = false, recordsEnd: Bool = false) -> Action? {
        let turn = requestsTurn && !isTurnRequested ? turn : nil
        if turn != nil { isTurnRequested = true }
        let deliversEvents = events.beginDelivery()
        let waiters = readyWaiters()
        guard recordsEnd || turn != nil || deliversEvents || !waiters.isEmpty else { return nil }
        return Action(recordsEnd: recordsEnd, turn: turn, deliversEvents: deliversEvents, waiters: waiters)
    }

    /// Whether no task is left, the indicator is off, and indicators and monitors have been notified.
    var isIdle: Bool {
        tasks.isEmpty && !visibility.isVisible && observers.isUpToDate(false) && events.isDelivered
    }

    /// Removes and returns the waiters if the manager is idle.
    private mutating func readyWaiters() -> [Waiter] {
        guard !waiters.isEmpty, isIdle else { return [] }
        defer { waiters = [] }
        return waiters
    }

    mutating func record(_ event: @autoclosure () -> NetworkTaskEvent) {
        if isMonitored { events.append(MonitorEvent(event: event(), monitors: observers.monitors)) }
    }

    // MARK: Weak tasks

    /// - Parameter reportsMisuse: Whether monitors are notified if the token is already a task.
    /// - Returns: What to release after unlocking, and what follows.
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
        lastWeakBegin = max(lastWeakBegin, task.began)
        if tasks.hasGrown { sweepEveryTask() }
        return (replaced, actionAfterBegin(at: task.began, needsTimer: !isPolledOften))
    }

    /// - Parameter reportsMisuse: Whether monitors are notified if the token isn't a task.
    /// - Returns: What to release after unlocking, and what follows.
    mutating func finish(_ token: AnyObject, origin: CallSite, reportsMisuse: Bool) -> (WeakTask?, Action?) {
        guard let (task, isDeallocated) = tasks.finish(token, checksToken: isMonitored) else {
            if reportsMisuse { record(.misuse(NetworkTaskMisuse(.unknownToken, type(of: token), origin))) }
            return (nil, action())
        }
        if isMonitored { record(.ended(NetworkTaskInfo(task.record), isDeallocated ? .deallocated : .finished)) }
        return (task, actionAfterFinish())
    }

    // MARK: Explicit tasks

    mutating func begin(_ task: TaskRecord) -> (ExplicitTasks.Handle, Action?) {
        let handle = tasks.explicitTasks.insert(task)
        if isMonitored { record(.began(NetworkTaskInfo(task))) }
        return (handle, actionAfterBegin(at: task.began, needsTimer: needsReportTimer))
    }

    /// - Returns: The record of the task, if it was under way, to be released after unlocking; and what follows.
    mutating func finish(_ task: ExplicitTasks.Handle) -> (TaskRecord?, Action?) {
        guard let record = tasks.explicitTasks.remove(task) else { return (nil, nil) }
        self.record(.ended(NetworkTaskInfo(record), .finished))
        return (record, actionAfterFinish())
    }

    /// Finishes the latest increment of the activity count.
    mutating func decrement(origin: CallSite) -> (TaskRecord?, Action?) {
        guard let increment = tasks.explicitTasks.takeLatestIncrement() else {
            return (nil, report(NetworkTaskMisuse(.countBelowZero, nil, origin)))
        }
        return finish(increment)
    }

    /// - Returns: Whether the app became busy.
    private mutating func seeLiveTask(at now: Timestamp) -> Bool {
        visibility.seeLiveTask(at: now, hideDelay: configuration.hideDelay)
    }

    private mutating func actionAfterBegin(at now: Timestamp, needsTimer: Bool) -> Action? {
        let isEdge = seeLiveTask(at: now)
        let requestsTurn = isEdge || needsTimer || isSweepingEveryTask
        return requestsTurn || isMonitored ? action(requestsTurn: requestsTurn) : nil
    }

    /// A finish reads the clock only if its time matters. The time matters if no task is left, or if only weak tasks
    /// are left while the indicator is off. In the second case, it is the last time at which a live task was seen.
    private mutating func actionAfterFinish() -> Action? {
        let recordsEnd = tasks.isEmpty || (tasks.explicitTasks.isEmpty && !visibility.isVisible)
        return recordsEnd || isMonitored ? action(recordsEnd: recordsEnd) : nil
    }

    /// Records when a caller ended a task.
    mutating func recordEnd(at now: Timestamp) -> Action? {
        guard visibility.isBusy else { return nil }
        _ = seeLiveTask(at: now)
        guard tasks.isEmpty else { return nil }
        visibility.becomeIdle(at: now)
        return action(requestsTurn: true)
    }

    mutating func report(_ misuse: @autoclosure () -> NetworkTaskMisuse) -> Action? {
        record(.misuse(misuse()))
        return action()
    }

    /// Removes every task. Returns the storage, to be released after unlocking.
    mutating func reset() -> (TaskRegistry, Action?) {
        let old = tasks.removeAll()
        if isMonitored { for task in old.records { record(.ended(NetworkTaskInfo(task), .reset)) } }
        return (old, action(recordsEnd: true))
    }

    // MARK: Sweeps

    var isSweepingEveryTask: Bool { sweep.goal == .everyTask }

    /// Examines every task in the next turns. If such a sweep is under way, it continues.
    mutating func sweepEveryTask() {
        tasks.resetGrowth()
        if !isSweepingEveryTask { sweep = Sweep(.everyTask) }
    }

    /// Commits a slice of a query. A turn follows if the app became idle.
    mutating func commit(_ slice: inout Sweep.Slice, at now: Timestamp) -> Action? {
        action(requestsTurn: apply(&slice, at: now))
    }

    /// Ends the tasks of a slice that are over, unless they have begun again meanwhile.
    ///
    /// - Parameter slice: Holds what is removed, so that nothing is released here.
    /// - Returns: Whether the app became idle.
    mutating func apply(_ slice: inout Sweep.Slice, at now: Timestamp) -> Bool {
        for loaded in slice.weak where loaded.isLive == false {
            guard let task = tasks.remove(loaded.handle) else { continue }
            record(.ended(NetworkTaskInfo(task.record), loaded.token == nil ? .deallocated : .finished))
            slice.removed.append(task)
        }
        slice.hasBegin = tasks.lastID != slice.lastID
        if isMonitored { reportLongRunning(slice, at: now) }
        guard tasks.isEmpty else {
            if !tasks.explicitTasks.isEmpty || slice.showsLiveTask { _ = seeLiveTask(at: now) }
            return false
        }
        // If a caller ended the last task, its thread records when, even if it has not done so yet.
        guard visibility.isBusy, !slice.removed.isEmpty else { return false }
        visibility.becomeIdle(at: now)
        return true
    }

    private mutating func reportLongRunning(_ slice: Sweep.Slice, at now: Timestamp) {
        guard let threshold = configuration.longRunningTaskThreshold else { return }
        func isLongRunning(_ task: TaskRecord) -> Bool { task.began.duration(to: now) >= threshold }
        for loaded in slice.weak where loaded.isLive == true {
            guard let task = loaded.record, isLongRunning(task) else { continue }
            if tasks.markAsLongRunning(loaded.handle) { record(.stillRunning(NetworkTaskInfo(task, asOf: now))) }
        }
        for (handle, task) in slice.explicit where isLongRunning(task) {
            let isNew = tasks.explicitTasks.markAsLongRunning(handle)
            if isNew { record(.stillRunning(NetworkTaskInfo(task, asOf: now))) }
        }
    }

    // MARK: Settings

    /// Replaces a configuration, unless another thread has changed it.
    mutating func replace(
        _ old: NetworkIndicatorManager.Configuration, with new: NetworkIndicatorManager.Configuration, at now: Timestamp
    ) -> (isReplaced: Bool, Action?) {
        guard configuration == old else { return (false, nil) }
        // A longer hide delay must not continue a busy period that has already ended.
        visibility.endBusyPeriodIfIdle(at: now, hideDelay: old.hideDelay)
        configuration = new
        return (true, action(requestsTurn: new != old))
    }

    mutating func enable(_ isEnabled: Bool) -> Action? {
        defer { self.isEnabled = isEnabled }
        return action(requestsTurn: isEnabled != self.isEnabled)
    }

    // MARK: Observers

    /// - Returns: The attachment: the new one, unless the indicator is already attached.
    mutating func attach(
        _ new: NetworkIndicatorManager.Attachment, lastDelivered: Bool = false
    ) -> (NetworkIndicatorManager.Attachment, Action?) {
        (observers.attach(new, lastDelivered: lastDelivered), action(requestsTurn: true))
    }

    mutating func detach(_ attachment: NetworkIndicatorManager.Attachment) -> Action? {
        action(requestsTurn: observers.detach(attachment))
    }

    /// Records that an indicator's `setVisible` has returned, and returns the next indicator to notify.
    mutating func endDelivery() -> (Observers.Indicator?, Action?) {
        observers.endDelivery()
        return (observers.nextDelivery(visibility.isVisible), action())
    }

    mutating func nextEvents(atMost limit: Int) -> ([MonitorEvent], Action?) {
        let next = events.next(atMost: limit)
        return (next, next.isEmpty ? action() : nil)
    }

    // MARK: The manager

    /// What a deallocated manager leaves behind. Its closures and objects are released after unlocking.
    typealias End = (observers: Observers, turn: MainWork?, sources: [any TaskSource])

    /// Ends the work for a manager that is deallocated. Tokens may still finish their tasks.
    mutating func end() -> (End, Action?) {
        if visibility.isVisible { record(.visibilityChanged(false)) }
        let action = action()
        defer { (observers, turn, sources) = (Observers(), nil, []) }
        return ((observers, turn, sources), action)
    }
}
