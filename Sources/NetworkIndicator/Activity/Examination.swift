/// An examination of weak tasks, which takes place in rounds on the main actor. Each round loads a batch of tasks while
/// it holds the lock, and evaluates their conditions after unlocking. It then commits the results while it holds the
/// lock again.
///
/// Unless it must visit every task, an examination first loads only the *witness*, a task that was found live earlier.
/// If there is no witness, or if it has ended, the examination searches for another live task, starting at index 0.
struct Examination {
    /// Limits the number of tasks that a round loads, and thus the time for which it holds the lock.
    static let batchSize = 2_048

    /// A weak task, and a strong reference to its token. The copied task retains the condition, so removing the
    /// original while the lock is held doesn't deallocate the caller's closure.
    struct Entry {
        let task: WeakTask
        let token: AnyObject?
        /// Whether the task is live; `nil` unless ``ask(asksConditions:)`` has determined it.
        var isLive: Bool?
    }

    /// The exclusive upper bound of the indices still to visit; `nil` if the examination ends at the first live task.
    fileprivate var unvisitedCount: Int?
    /// The latest task identifier that was assigned before the examination. The examination doesn't evaluate conditions
    /// of tasks that begin later. Otherwise, conditions that begin tasks could prolong the examination indefinitely.
    fileprivate let latestBegin: UInt64
    fileprivate var batch: [Entry] = []
    fileprivate var hasEndedTask = false
    /// The oldest task that this examination has found live.
    fileprivate var witness: Witness?

    fileprivate init(latestBegin: UInt64) { self.latestBegin = latestBegin }

    /// Determines which loaded tasks are live, without holding the lock. If `asksConditions` is `false`, each task
    /// whose token is alive counts as live.
    @MainActor
    mutating func ask(asksConditions: Bool) {
        for index in batch.indices {
            let (task, token) = (batch[index].task, batch[index].token)
            let asksCondition = asksConditions && task.handle.latestBegin <= latestBegin
            let isLive = token.map { asksCondition ? task.condition?($0) ?? true : true } ?? false
            batch[index].isLive = isLive
            if isLive, unvisitedCount == nil { return }
        }
    }

    /// Removes and returns the batch. The caller must release it without holding the lock.
    mutating func takeBatch() -> [Entry] {
        defer { batch = [] }
        return batch
    }
}

/// A weak task that an examination found live. While it stays live, the app is busy, whatever the state of other weak
/// tasks.
struct Witness: Sendable {
    let key: ObjectIdentifier
    let began: Timestamp

    init(_ task: WeakTask) { (key, began) = (task.handle.key, task.record.began) }
}

extension ManagerState {
    /// Begins an examination and loads its first batch. If the number of tasks has more than doubled since the last
    /// visit of every task, the examination visits every task even if `visitsEveryTask` is `false`.
    mutating func beginExamination(ofEveryTask visitsEveryTask: Bool = false) -> Examination {
        var examination = Examination(latestBegin: tasks.lastID)
        if visitsEveryTask || tasks.hasGrown { examination.unvisitedCount = .max }
        load(&examination)
        return examination
    }

    mutating func load(_ examination: inout Examination) {
        if let unvisitedCount = examination.unvisitedCount {
            // Visiting from the last task to the first skips no task. When a task is removed, the last task moves into
            // the gap, and that task was visited already or is newer than the examination.
            let end = min(unvisitedCount, tasks.weakCount)
            let start = max(0, end - Examination.batchSize)
            examination.unvisitedCount = start
            examination.batch = (start..<end).reversed().map { tasks.load(at: $0) }
            return
        }
        if let witness, let index = tasks.index(of: witness.key) {
            examination.batch = [tasks.load(at: index)]
            if examination.batch[0].token != nil { return }
        }
        for index in 0..<min(tasks.weakCount, Examination.batchSize) {
            let entry = tasks.load(at: index)
            examination.batch.append(entry)
            if entry.token != nil, entry.task.condition == nil { return }
        }
    }

    /// Removes the loaded tasks that have ended, unless they have begun again meanwhile. When the examination is
    /// complete, updates the witness and the visibility.
    ///
    /// - Returns: Whether the examination is complete. If it isn't, another round must follow.
    mutating func commit(_ examination: inout Examination, at now: Timestamp) -> Bool {
        for entry in examination.batch { commit(entry, to: &examination, at: now) }
        if let unvisitedCount = examination.unvisitedCount {
            guard unvisitedCount == 0 else { return false }
            finishVisitOfEveryTask(at: now)
        }
        if let witness = examination.witness, tasks.index(of: witness.key) == nil { examination.witness = nil }
        if examination.witness == nil, let newest = tasks.newest, newest.handle.latestBegin > examination.latestBegin {
            examination.witness = Witness(newest)
        }
        guard examination.witness != nil || tasks.weakCount == 0 else {
            examination.unvisitedCount = nil
            return false
        }
        var liveSince = tasks.explicitTasks.liveSince
        if let witness = examination.witness { liveSince = min(liveSince ?? witness.began, witness.began) }
        let hideDelay = configuration.hideDelay
        if let liveSince {
            // The pause before `liveSince` ends the busy period, unless an older task was live during that pause. Only
            // a visit of every task can find such a task.
            if examination.unvisitedCount == nil, tasks.weakCount > 1,
                visibility.hasEndedPeriod(before: liveSince, hideDelay: hideDelay)
            {
                examination.unvisitedCount = .max
                return false
            }
            visibility.seeLiveTask(since: liveSince, at: now, hideDelay: hideDelay, isOldest: true)
        } else if visibility.isBusy, examination.hasEndedTask {
            // If `hasEndedTask` is `false`, a caller finished the last task, and the caller's thread records the time
            // of the end.
            visibility.becomeIdle(at: now)
        }
        witness = examination.witness
        return true
    }

    private mutating func commit(_ entry: Examination.Entry, to examination: inout Examination, at now: Timestamp) {
        guard let isLive = entry.isLive else { return }
        let began = entry.task.record.began
        if !isLive {
            guard tasks.remove(entry.task.handle) != nil else { return }
            examination.hasEndedTask = true
            record(.ended(NetworkTaskInfo(entry.task.record), entry.token == nil ? .deallocated : .finished))
            return
        }
        if examination.witness.map({ began < $0.began }) ?? true { examination.witness = Witness(entry.task) }
        guard let threshold = reportThreshold else { return }
        if let task = tasks.markAsLongRunning(entry.task.handle, after: threshold, at: now) {
            record(.stillRunning(NetworkTaskInfo(task, asOf: now)))
        }
    }

    private mutating func finishVisitOfEveryTask(at now: Timestamp) {
        tasks.resetGrowth()
        latestVisit = now
        guard let threshold = reportThreshold else { return }
        for task in tasks.explicitTasks.markAsLongRunning(after: threshold, at: now) {
            record(.stillRunning(NetworkTaskInfo(task, asOf: now)))
        }
    }

    /// Makes an examination visit every task, if monitors would otherwise be notified too late of ended tasks. Returns
    /// whether another round must follow.
    mutating func visitEveryTaskForMonitors(_ examination: inout Examination, nextPoll: Timestamp) -> Bool {
        let isDue = isMonitored && examination.unvisitedCount == nil && latestVisit + longestPauseOfVisits < nextPoll
        if isDue { examination.unvisitedCount = .max }
        return isDue
    }
}
