/// An examination of weak tasks by the main actor. Each round loads tasks under the lock, asks their conditions outside
/// it, and commits the result.
///
/// An examination loads the witness alone: a task that was found live. If the witness is over, the next rounds search
/// for another one, from the oldest entry on.
struct Examination {
    enum Extent {
        case anyLiveTask
        case everyTask
    }

    /// Maximum number of tasks that are loaded without releasing the lock.
    static let batchSize = 2_048

    /// A weak task and its token.
    struct Entry {
        let handle: WeakTask.Handle
        let began: Timestamp
        let condition: TaskCondition?
        let token: AnyObject?
        /// Whether the token is alive and the condition is true; `nil` before the condition is asked.
        var isLive: Bool?
    }

    fileprivate(set) var extent: Extent
    /// The identifier of the latest begin before the examination. A task that begins later is live without a question,
    /// so conditions that begin tasks can't prolong the examination without end.
    fileprivate let latestBegin: UInt64
    /// For the extent `everyTask`: the tasks at lower indices have not been visited.
    fileprivate var unvisitedCount = Int.max
    fileprivate var batch: [Entry] = []
    fileprivate var removed: [WeakTask] = []
    fileprivate var hasRemoved = false
    /// The oldest task found live.
    fileprivate var witness: Witness?

    fileprivate init(_ extent: Extent, latestBegin: UInt64) {
        self.extent = extent
        self.latestBegin = latestBegin
    }

    /// Asks the conditions of the loaded tasks, outside every lock. For the extent `anyLiveTask`, stops at a live task.
    ///
    /// - Parameter asksConditions: `false` to count each task whose token is alive.
    @MainActor
    mutating func ask(asksConditions: Bool) {
        for index in batch.indices {
            let entry = batch[index]
            let isLive =
                if let token = entry.token, asksConditions, entry.handle.latestBegin <= latestBegin {
                    entry.condition?(token) ?? true
                } else {
                    entry.token != nil
                }
            batch[index].isLive = isLive
            if isLive, extent == .anyLiveTask { return }
        }
    }

    /// Removes the tokens and tasks of a round, to be released outside the lock.
    mutating func takeBatch() -> ([Entry], [WeakTask]) {
        defer { (batch, removed) = ([], []) }
        return (batch, removed)
    }

    fileprivate mutating func visitEveryTask() { (extent, unvisitedCount) = (.everyTask, .max) }
}

/// A weak task that was found live. While it lives, no other weak task matters for the indicator.
struct Witness: Sendable {
    let key: ObjectIdentifier
    let began: Timestamp
}

extension ManagerState {
    /// Begins an examination and loads its first tasks. It visits every task if the number of tasks has doubled.
    mutating func beginExamination(_ extent: Examination.Extent) -> Examination {
        var examination = Examination(tasks.hasGrown ? .everyTask : extent, latestBegin: tasks.lastID)
        load(&examination)
        return examination
    }

    /// Loads the next tasks of an examination.
    mutating func load(_ examination: inout Examination) {
        switch examination.extent {
        case .anyLiveTask:
            if let index = witness.flatMap({ tasks.index(of: $0.key) }) {
                examination.batch = [tasks.load(at: index)]
                if examination.batch[0].token != nil { return }
            }
            for index in 0..<min(tasks.weakCount, Examination.batchSize) {
                let entry = tasks.load(at: index)
                examination.batch.append(entry)
                if entry.token != nil, entry.condition == nil { return }
            }

        case .everyTask:
            // From the last to the first: a removal moves the last task, which has been visited, into the gap.
            let end = min(examination.unvisitedCount, tasks.weakCount)
            examination.unvisitedCount = max(0, end - Examination.batchSize)
            examination.batch = (examination.unvisitedCount..<end).reversed().map { tasks.load(at: $0) }
        }
    }

    /// Ends the loaded tasks that are over, unless they have begun again meanwhile. When the examination is over,
    /// records whether the app is busy.
    ///
    /// - Returns: Whether the examination is over. If not, another round follows.
    mutating func commit(_ examination: inout Examination, at now: Timestamp) -> Bool {
        endTasks(&examination, at: now)
        if examination.extent == .everyTask {
            guard examination.unvisitedCount == 0 else { return false }
            finishVisitOfEveryTask(at: now)
        }
        examination.witness = examination.witness.flatMap { tasks.index(of: $0.key) == nil ? nil : $0 }
        if examination.witness == nil, let newest = tasks.newest, newest.handle.latestBegin > examination.latestBegin {
            examination.witness = Witness(key: newest.handle.key, began: newest.record.began)
        }
        guard examination.witness != nil || tasks.weakCount == 0 else {
            examination.extent = .anyLiveTask
            return false
        }
        var liveSince = tasks.explicitTasks.liveSince
        if let witness = examination.witness { liveSince = min(liveSince ?? witness.began, witness.began) }
        if let liveSince {
            // An older task may show that there was no pause.
            if visibility.hasEndedPeriod(before: liveSince, hideDelay: configuration.hideDelay), tasks.weakCount > 1,
                examination.extent == .anyLiveTask
            {
                examination.visitEveryTask()
                return false
            }
            visibility.seeLiveTask(since: liveSince, at: now, hideDelay: configuration.hideDelay)
        } else if visibility.isBusy, examination.hasRemoved {
            // If a caller ended the last task, its thread records when, even if it has not done so yet.
            visibility.becomeIdle(at: now)
        }
        witness = examination.witness
        return true
    }

    private mutating func endTasks(_ examination: inout Examination, at now: Timestamp) {
        for entry in examination.batch {
            switch entry.isLive {
            case true:
                if examination.witness.map({ entry.began < $0.began }) ?? true {
                    examination.witness = Witness(key: entry.handle.key, began: entry.began)
                }
                guard isMonitored, let threshold = configuration.longRunningTaskThreshold else { continue }
                if let task = tasks.markAsLongRunning(entry.handle, after: threshold, at: now) {
                    record(.stillRunning(NetworkTaskInfo(task, asOf: now)))
                }
            case false:
                guard let task = tasks.remove(entry.handle) else { continue }
                record(.ended(NetworkTaskInfo(task.record), entry.token == nil ? .deallocated : .finished))
                examination.removed.append(task)
                examination.hasRemoved = true
            case nil: break
            }
        }
    }

    private mutating func finishVisitOfEveryTask(at now: Timestamp) {
        tasks.resetGrowth()
        latestVisit = now
        guard isMonitored, let threshold = configuration.longRunningTaskThreshold else { return }
        for task in tasks.explicitTasks.markAsLongRunning(after: threshold, at: now) {
            record(.stillRunning(NetworkTaskInfo(task, asOf: now)))
        }
    }

    /// Continues an examination with every task, if monitors would otherwise receive ends too late.
    mutating func visitEveryTaskForMonitors(_ examination: inout Examination, nextPoll: Timestamp) -> Bool {
        let isDue = isMonitored && examination.extent == .anyLiveTask && latestVisit + longestPauseOfVisits < nextPoll
        if isDue { examination.visitEveryTask() }
        return isDue
    }
}
