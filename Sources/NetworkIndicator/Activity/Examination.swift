/// Examines weak tasks on the main actor, in rounds. Each round loads tasks while the lock is held. It then evaluates
/// their conditions without holding the lock. Finally, it acquires the lock again and commits the results.
///
/// An examination first loads only the *witness*, a task that was found live earlier. If the witness has ended, the
/// examination searches for another live task, starting at index 0.
struct Examination {
    /// The maximum number of tasks to load before the lock is released.
    static let batchSize = 2_048

    /// A weak task and its token. The entry's copy of the task retains the condition. A commit that removes the task
    /// therefore doesn't release a caller's closure while the lock is held.
    struct Entry {
        let task: WeakTask
        let token: AnyObject?
        /// Whether the token is alive and the condition is true; `nil` until the condition is evaluated.
        var isLive: Bool?
    }

    /// The upper bound of the indices that the examination has not visited. If it is `nil`, the examination ends at the
    /// first live task.
    fileprivate var unvisitedCount: Int?
    /// The latest identifier that was assigned before the examination. A task that begins later counts as live, and its
    /// condition isn't evaluated. Otherwise, conditions that begin tasks could prolong the examination indefinitely.
    fileprivate let latestBegin: UInt64
    fileprivate var batch: [Entry] = []
    fileprivate var hasEndedTask = false
    /// The oldest task that was found live.
    fileprivate var witness: Witness?

    fileprivate init(latestBegin: UInt64) { self.latestBegin = latestBegin }

    /// Evaluates the conditions of the loaded tasks, without holding a lock.
    ///
    /// - Parameter asksConditions: Whether to evaluate conditions. If it is `false`, each task whose token is alive
    ///   counts as live.
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

    /// Removes and returns the entries of a round. The caller releases them without holding the lock.
    mutating func takeBatch() -> [Entry] {
        defer { batch = [] }
        return batch
    }
}

/// Identifies a weak task that was found live. While that task is live, the indicator doesn't depend on other weak
/// tasks.
struct Witness: Sendable {
    let key: ObjectIdentifier
    let began: Timestamp

    init(_ task: WeakTask) { (key, began) = (task.handle.key, task.record.began) }
}

extension ManagerState {
    /// Begins an examination and loads its first tasks. The examination visits every task if the number of tasks has
    /// doubled.
    mutating func beginExamination(ofEveryTask visitsEveryTask: Bool = false) -> Examination {
        var examination = Examination(latestBegin: tasks.lastID)
        if visitsEveryTask || tasks.hasGrown { examination.unvisitedCount = .max }
        load(&examination)
        return examination
    }

    /// Loads the next tasks of an examination.
    mutating func load(_ examination: inout Examination) {
        if let unvisitedCount = examination.unvisitedCount {
            // This visits tasks from the last to the first. When a task is removed, the last task moves into the gap.
            // That task has been visited already.
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
    /// complete, records whether the app is busy.
    ///
    /// - Returns: Whether the examination is complete. If it isn't, another round follows.
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
            // An older task may have been live during the presumed pause, so the examination visits every task.
            if examination.unvisitedCount == nil, tasks.weakCount > 1,
                visibility.hasEndedPeriod(before: liveSince, hideDelay: hideDelay)
            {
                examination.unvisitedCount = .max
                return false
            }
            visibility.seeLiveTask(since: liveSince, at: now, hideDelay: hideDelay, isOldest: true)
        } else if visibility.isBusy, examination.hasEndedTask {
            // If a caller ended the last task, the caller's thread records the time of the end, now or later.
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

    /// Makes an examination visit every task, if monitors would otherwise be notified too late that tasks have ended.
    ///
    /// - Returns: Whether another round follows.
    mutating func visitEveryTaskForMonitors(_ examination: inout Examination, nextPoll: Timestamp) -> Bool {
        let isDue = isMonitored && examination.unvisitedCount == nil && latestVisit + longestPauseOfVisits < nextPoll
        if isDue { examination.unvisitedCount = .max }
        return isDue
    }
}
