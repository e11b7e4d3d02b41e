/// An examination of weak tasks by the main actor. Each round loads tasks under the lock, asks their conditions outside
/// it, and commits the result.
///
/// An examination loads the witness alone: a task that was found live. If the witness is over, the next rounds search
/// for another one, from the oldest entry on.
struct Examination {
    /// Maximum number of tasks that are loaded without releasing the lock.
    static let batchSize = 2_048

    /// A weak task and its token. The copy of the task keeps its condition, so a commit releases no foreign object.
    struct Entry {
        let task: WeakTask
        let token: AnyObject?
        /// Whether the token is alive and the condition is true; `nil` before the condition is asked.
        var isLive: Bool?
    }

    /// The tasks at lower indices have not been visited; `nil` to end at the first live task.
    fileprivate var unvisitedCount: Int?
    /// The identifier of the latest begin before the examination. A task that begins later is live without a question,
    /// so conditions that begin tasks can't prolong the examination without end.
    fileprivate let latestBegin: UInt64
    fileprivate var batch: [Entry] = []
    fileprivate var hasEndedTask = false
    /// The oldest task found live.
    fileprivate var witness: Witness?

    fileprivate init(latestBegin: UInt64) { self.latestBegin = latestBegin }

    /// Asks the conditions of the loaded tasks, outside every lock.
    ///
    /// - Parameter asksConditions: `false` to count each task whose token is alive.
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

    /// Removes the entries of a round, to be released outside the lock.
    mutating func takeBatch() -> [Entry] {
        defer { batch = [] }
        return batch
    }
}

/// A weak task that was found live. While it lives, no other weak task matters for the indicator.
struct Witness: Sendable {
    let key: ObjectIdentifier
    let began: Timestamp

    init(_ task: WeakTask) { (key, began) = (task.handle.key, task.record.began) }
}

extension ManagerState {
    /// Begins an examination and loads its first tasks. It visits every task if the number of tasks has doubled.
    mutating func beginExamination(ofEveryTask visitsEveryTask: Bool = false) -> Examination {
        var examination = Examination(latestBegin: tasks.lastID)
        if visitsEveryTask || tasks.hasGrown { examination.unvisitedCount = .max }
        load(&examination)
        return examination
    }

    /// Loads the next tasks of an examination.
    mutating func load(_ examination: inout Examination) {
        if let unvisitedCount = examination.unvisitedCount {
            // From the last to the first: a removal moves the last task, which has been visited, into the gap.
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

    /// Ends the loaded tasks that are over, unless they have begun again meanwhile. When the examination is over,
    /// records whether the app is busy.
    ///
    /// - Returns: Whether the examination is over. If not, another round follows.
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
            // An older task may show that there was no pause.
            if examination.unvisitedCount == nil, tasks.weakCount > 1,
                visibility.hasEndedPeriod(before: liveSince, hideDelay: hideDelay)
            {
                examination.unvisitedCount = .max
                return false
            }
            visibility.seeLiveTask(since: liveSince, at: now, hideDelay: hideDelay, isOldest: true)
        } else if visibility.isBusy, examination.hasEndedTask {
            // If a caller ended the last task, its thread records when, even if it has not done so yet.
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

    /// Continues an examination with every task, if monitors would otherwise receive ends too late.
    ///
    /// - Returns: Whether another round follows.
    mutating func visitEveryTaskForMonitors(_ examination: inout Examination, nextPoll: Timestamp) -> Bool {
        let isDue = isMonitored && examination.unvisitedCount == nil && latestVisit + longestPauseOfVisits < nextPoll
        if isDue { examination.unvisitedCount = .max }
        return isDue
    }
}
