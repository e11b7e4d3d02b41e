/// The state of a manager: its tasks, its visibility, its observers and its settings.
///
/// It is a value without a clock, a thread or an indicator. ``ActivityTracker`` guards it with one lock. Each method
/// returns what follows from the change: an ``Action`` for any thread, or a ``Turn`` for the main actor.
struct ActivityState {
    private(set) var tasks = TaskRegistry()
    private(set) var visibility: Visibility
    private(set) var observers = Observers()
    private(set) var events = EventQueue<MonitorEvents>()
    private(set) var waiters = Waiters()
    private(set) var sources: [any TaskSource] = []
    private(set) var configuration: NetworkIndicatorManager.Configuration
    private(set) var isEnabled = true

    /// Runs a turn; `nil` before the manager is initialized, and after it is deallocated.
    private var turn: MainWork?
    private var isTurnRequested = false
    /// The interval of the poll timer; `nil` while there is none.
    private var polledInterval: Duration?
    /// Whether that interval is the shortest. If not, a begin of a weak task needs a turn.
    private var isPolledOften = false
    private var poll = Sweep(.anyLiveTask)
    /// An examination of every task: after growth, and regularly for monitors.
    private var fullSweep: Sweep?
    private var lastFullSweep: Timestamp
    private var lastWeakBegin: Timestamp

    #if DEBUG
    /// How often the tracker has taken its lock, for tests.
    var lockCount = 0
    #endif

    init(configuration: NetworkIndicatorManager.Configuration, at now: Timestamp) {
        self.configuration = configuration
        visibility = Visibility(at: now)
        (lastFullSweep, lastWeakBegin) = (now, now)
    }

    private var isMonitored: Bool { !observers.monitors.isEmpty }

    // MARK: What follows

    /// Requests a turn. The first request returns the work for the main actor; later ones merge with it.
    private mutating func requestTurn() -> MainWork? {
        guard !isTurnRequested, let turn else { return nil }
        isTurnRequested = true
        return turn
    }

    /// Returns what follows from a change; `nil` for most changes.
    private mutating func action(requestsTurn: Bool = false, recordsEnd: Bool = false) -> Action? {
        let turn = requestsTurn ? requestTurn() : nil
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
    private mutating func readyWaiters() -> [Waiters.Continuation] {
        waiters.isEmpty || !isIdle ? [] : waiters.removeAll()
    }

    private mutating func record(_ event: @autoclosure () -> NetworkTaskEvent) {
        if isMonitored { events.append(MonitorEvents(.event(event()), monitors: observers.monitors)) }
    }

    // MARK: Weak tasks

    /// - Parameter reportsMisuse: Whether monitors are notified if the token is already a task.
    /// - Returns: What to release after unlocking, and what follows.
    mutating func begin(
        _ token: AnyObject, label: String?, origin: CallSite, reportsMisuse: Bool, while condition: TaskCondition?,
        at now: Timestamp
    ) -> (WeakTask?, Action?) {
        var replaced: WeakTask?
        let result = tasks.begin(token, label: label, origin: origin, while: condition, at: now)
        if case .replaced(let stale) = result { replaced = stale }
        if isMonitored { record(result, of: token, origin: origin, reportsMisuse: reportsMisuse) }
        lastWeakBegin = max(lastWeakBegin, now)
        if tasks.hasGrown {
            tasks.resetGrowth()
            fullSweep = fullSweep ?? Sweep(.everyTask)
        }
        return (replaced, actionAfterBegin(at: now, needsTimer: !isPolledOften))
    }

    private mutating func record(
        _ result: TaskRegistry.BeginResult, of token: AnyObject, origin: CallSite, reportsMisuse: Bool
    ) {
        if case .replaced(let stale) = result { record(.ended(NetworkTaskInfo(stale.record), .deallocated)) }
        if case .alreadyBegan = result {
            if reportsMisuse { record(.misuse(NetworkTaskMisuse(.alreadyBegan, type(of: token), origin))) }
        } else if let task = tasks.record(of: token) {
            record(.began(NetworkTaskInfo(task)))
        }
    }

    /// - Parameter reportsMisuse: Whether monitors are notified if the token is no task.
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

    /// - Parameter tokenType: `nil` for an increment of the activity count.
    mutating func begin(
        tokenType: (any Any.Type)?, label: String?, origin: CallSite, at now: Timestamp
    ) -> (ExplicitTasks.Handle, Action?) {
        let handle = tasks.begin(tokenType: tokenType, label: label, origin: origin, at: now)
        if isMonitored, let task = tasks.explicitTasks.record(slot: handle.slot) {
            record(.began(NetworkTaskInfo(task)))
        }
        return (handle, actionAfterBegin(at: now, needsTimer: reportsLongRunning && polledInterval == nil))
    }

    /// - Returns: The record of the task, if it was under way, to be released after unlocking; and what follows.
    mutating func finish(_ task: ExplicitTasks.Handle) -> (TaskRecord?, Action?) {
        guard let record = tasks.explicitTasks.remove(task) else { return (nil, nil) }
        self.record(.ended(NetworkTaskInfo(record), .finished))
        return (record, actionAfterFinish())
    }

    /// Finishes the latest increment of the activity count.
    mutating func decrement(origin: CallSite) -> (TaskRecord?, Action?) {
        guard let record = tasks.explicitTasks.removeLatestIncrement() else {
            return (nil, report(NetworkTaskMisuse(.countBelowZero, nil, origin)))
        }
        self.record(.ended(NetworkTaskInfo(record), .finished))
        return (record, actionAfterFinish())
    }

    private mutating func actionAfterBegin(at now: Timestamp, needsTimer: Bool) -> Action? {
        let isEdge = visibility.seeLiveTask(at: now, configuration)
        let requestsTurn = isEdge || needsTimer || fullSweep != nil
        return requestsTurn || isMonitored ? action(requestsTurn: requestsTurn) : nil
    }

    /// A finish reads the clock only if its time matters: if it ends the last task, or if only weak tasks are left while
    /// the indicator is off. In the second case, a live task was last seen at this time.
    private mutating func actionAfterFinish() -> Action? {
        let recordsEnd = tasks.isEmpty || (tasks.explicitTasks.isEmpty && !visibility.isVisible)
        return recordsEnd || isMonitored ? action(recordsEnd: recordsEnd) : nil
    }

    /// Records when a caller ended a task.
    mutating func recordEnd(at now: Timestamp) -> Action? {
        guard visibility.busyPeriod.isBusy else { return nil }
        _ = visibility.seeLiveTask(at: now, configuration)
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
        if isMonitored { events.append(MonitorEvents(.reset(old), monitors: observers.monitors)) }
        return (old, action(recordsEnd: true))
    }

    // MARK: Sweeps

    mutating func load(_ sweep: inout Sweep) -> Sweep.Slice { sweep.load(&tasks) }

    /// Commits a slice of a query. A turn must follow if the app is idle now.
    mutating func commit(_ slice: inout Sweep.Slice, at now: Timestamp) -> Action? {
        let isEdge = apply(&slice, at: now)
        return action(requestsTurn: isEdge)
    }

    /// Ends the tasks of a slice that are over, unless they have begun again meanwhile.
    ///
    /// - Parameter slice: Holds what is removed, so that nothing is released here.
    /// - Returns: Whether the app became idle.
    private mutating func apply(_ slice: inout Sweep.Slice, at now: Timestamp) -> Bool {
        for (index, loaded) in slice.weak.enumerated() {
            let end: NetworkTaskEnd
            switch loaded.verdict {
            case .live, .unknown: continue
            case .deallocated: end = .deallocated
            case .conditionIsFalse: end = .finished
            }
            if let task = tasks.remove(loaded.handle) {
                record(.ended(NetworkTaskInfo(task.record), end))
                slice.removed.append(task)
            } else if tasks.contains(loaded.handle) {
                slice.noteBegin(at: index)
            }
        }
        if isMonitored { reportLongRunning(slice, at: now) }
        if !tasks.explicitTasks.isEmpty || slice.hasLiveTask { _ = visibility.seeLiveTask(at: now, configuration) }
        guard tasks.isEmpty, visibility.busyPeriod.isBusy else { return false }
        visibility.becomeIdle(at: now)
        return true
    }

    private mutating func reportLongRunning(_ slice: Sweep.Slice, at now: Timestamp) {
        guard let limit = configuration.longRunningTaskThreshold.map({ now - $0 }) else { return }
        for loaded in slice.weak where loaded.verdict == .live {
            guard let record = loaded.record, record.isLongRunning(beganBefore: limit) else { continue }
            if tasks.markAsLongRunning(loaded.handle) { self.record(.stillRunning(NetworkTaskInfo(record, asOf: now))) }
        }
        for (slot, record) in slice.explicit where record.isLongRunning(beganBefore: limit) {
            guard tasks.explicitTasks.markAsLongRunning(slot: slot, id: record.id) else { continue }
            self.record(.stillRunning(NetworkTaskInfo(record, asOf: now)))
        }
    }

    // MARK: Turns

    /// Begins a turn: loads one slice of a full sweep, or of the poll. A change after this requests another turn.
    mutating func beginTurn() -> (Sweep.Goal, Sweep.Slice) {
        isTurnRequested = false
        guard var sweep = fullSweep else { return (.anyLiveTask, poll.load(&tasks)) }
        let slice = sweep.load(&tasks)
        fullSweep = sweep.isComplete ? nil : sweep
        if sweep.isComplete { tasks.resetGrowth() }
        return (.everyTask, slice)
    }

    /// Ends a turn: decides whether the indicator is on, and what the timers are.
    mutating func endTurn(_ slice: inout Sweep.Slice, at now: Timestamp) -> Turn {
        _ = apply(&slice, at: now)
        if isMonitored, fullSweep == nil, !tasks.isEmpty, lastFullSweep + pauseAfterFullSweep <= now {
            fullSweep = Sweep(.everyTask)
            lastFullSweep = now
        }
        let wasVisible = visibility.isVisible
        // If the app is busy and the slice contains no live task, the next slice may contain one.
        let isDetermined = tasks.isEmpty || !tasks.explicitTasks.isEmpty || slice.hasLiveTask || !isEnabled
        var deadline: Timestamp?
        if isDetermined { deadline = visibility.step(isEnabled: isEnabled, at: now, configuration) }
        let isVisible = visibility.isVisible
        if isVisible != wasVisible { record(.visibilityChanged(isVisible)) }
        polledInterval = pollInterval(at: now)
        isPolledOften = polledInterval.map { $0 <= Self.shortestPollInterval } ?? false
        return Turn(
            isVisibilityChanged: isVisible != wasVisible,
            delivery: observers.nextDelivery(isVisible),
            deadline: [deadline, waiters.nextDeadline].compactMap(\.self).min(),
            pollInterval: polledInterval,
            expiredWaiters: waiters.removeExpired(at: now),
            action: action(requestsTurn: !isDetermined || fullSweep != nil),
            // Frees the storage of an idle registry after unlocking.
            storage: tasks.isEmpty ? tasks.removeAll() : nil)
    }

    /// Records that an indicator's `setVisible` has returned.
    mutating func endDelivery() -> (Observers.Indicator?, Action?) {
        observers.endDelivery()
        return (observers.nextDelivery(visibility.isVisible), action())
    }

    // MARK: Polling

    /// While a caller waits for the manager to be idle, the manager polls at least this often.
    private static let pollIntervalForWaiters: Duration = .milliseconds(100)
    /// With a monitor, explicit tasks are polled at least this often, because a poll reports tasks that last long.
    private static let pollIntervalForReports: Duration = .seconds(1)
    private static let shortestPollInterval: Duration = .milliseconds(50)

    /// How often to poll; `nil` if no task needs it.
    ///
    /// The interval is at most an eighth of the time since the last begin, so that a poll's error is at most an eighth of
    /// the work. The interval only doubles, so that the timer is rarely set again.
    private func pollInterval(at now: Timestamp) -> Duration? {
        var limit = configuration.completionCheckInterval
        if reportsLongRunning { limit = min(limit, Self.pollIntervalForReports) }
        guard tasks.weakCount > 0 else { return reportsLongRunning ? limit : nil }
        if !waiters.isEmpty { limit = min(limit, Self.pollIntervalForWaiters) }
        let age = lastWeakBegin.duration(to: now)
        var interval = min(Self.shortestPollInterval, limit)
        while interval < limit, min(interval * 2, limit) * 8 <= age { interval = min(interval * 2, limit) }
        return interval
    }

    private var reportsLongRunning: Bool {
        isMonitored && !tasks.explicitTasks.isEmpty && configuration.longRunningTaskThreshold != nil
    }

    /// How long polls examine no further tasks after an examination of every task, while a monitor is attached. Polls
    /// right after a begin are too frequent to examine every task.
    private var pauseAfterFullSweep: Duration {
        min(configuration.completionCheckInterval, Self.pollIntervalForReports) / 2
    }

    // MARK: Settings

    mutating func setEnabled(_ isEnabled: Bool) -> Action? {
        self.isEnabled = isEnabled
        return action(requestsTurn: true)
    }

    /// Replaces a configuration, unless another thread has changed it.
    mutating func replace(
        _ old: NetworkIndicatorManager.Configuration, with new: NetworkIndicatorManager.Configuration, at now: Timestamp
    ) -> (isReplaced: Bool, Action?) {
        guard configuration == old else { return (false, nil) }
        // A longer hide delay must not continue a busy period that has already ended.
        visibility.endBusyPeriodIfIdle(at: now, old)
        configuration = new
        return (true, action(requestsTurn: true))
    }

    // MARK: Observers, waiters and sources

    /// - Returns: The attachment of the indicator: the new one, unless the indicator is already attached.
    mutating func attach(
        _ indicator: any ActivityIndicator, _ new: NetworkIndicatorManager.Attachment, isUpToDate: Bool = false
    ) -> (NetworkIndicatorManager.Attachment, Action?) {
        let attachment = observers.attach(indicator, new, lastDelivered: isUpToDate && visibility.isVisible)
        return (attachment, action(requestsTurn: !isUpToDate))
    }

    mutating func attach(monitor: NetworkIndicatorManager.Attachment) -> Action? {
        observers.attach(monitor: monitor)
        return action(requestsTurn: true)
    }

    mutating func attach(other: NetworkIndicatorManager.Attachment) -> Action? {
        observers.attach(other: other)
        return nil
    }

    mutating func detach(_ attachment: NetworkIndicatorManager.Attachment) -> Action? {
        let needsDelivery = observers.detach(attachment)
        return action(requestsTurn: needsDelivery)
    }

    mutating func nextEvents(atMost limit: Int) -> ([MonitorEvents], Action?) {
        let next = events.next(atMost: limit)
        return (next, next.isEmpty ? action() : nil)
    }

    mutating func wait(_ continuation: Waiters.Continuation, until deadline: Timestamp?) -> (UInt64, Action?) {
        // A turn sets the timers.
        (waiters.add(continuation, deadline: deadline), action(requestsTurn: true))
    }

    mutating func endWait(_ id: UInt64) -> (Waiters.Continuation?, Action?) {
        let released = waiters.remove(id: id)
        return (released, action(requestsTurn: true))
    }

    mutating func add(_ source: any TaskSource) {
        if !sources.contains(where: { $0 === source }) { sources.append(source) }
    }

    // MARK: The manager

    mutating func start(_ turn: @escaping MainWork) { self.turn = turn }

    /// What a deallocated manager leaves behind.
    struct End {
        let indicators: [Observers.Indicator]
        let attachments: [NetworkIndicatorManager.Attachment]
        let isBusy: Bool
        /// Released last.
        let turn: MainWork?
        let sources: [any TaskSource]
    }

    /// Ends the work for a manager that is deallocated. Tokens may still finish their tasks.
    mutating func end() -> (End, Action?) {
        if visibility.isVisible { record(.visibilityChanged(false)) }
        let action = action()
        let (indicators, attachments) = observers.detachAll()
        defer { (turn, sources) = (nil, []) }
        let end = End(
            indicators: indicators, attachments: attachments, isBusy: !tasks.isEmpty, turn: turn, sources: sources)
        return (end, action)
    }
}
