/// Checks weak tasks in batches. The lock is held while a batch is loaded and while its results are committed, but not
/// while conditions are evaluated.
///
/// Unless a monitor is attached, most polls check only the *witness*: a task that the previous examination found live,
/// or that began during that examination.
struct Examination {
    /// This size limits how long the lock is held for each batch.
    static let batchSize = 2_048

    /// An entry retains the task's condition, so that removing the task while the lock is held doesn't deallocate the
    /// caller's closure.
    struct Entry {
        let task: WeakTask
        let token: AnyObject?
        var isLive: Bool?
    }

    /// The exclusive upper bound of the indices still to visit; `nil` while the examination needs only one live task.
    fileprivate var unvisitedCount: Int?
    /// An examination skips the conditions of tasks that begin during it. Evaluating such conditions could prolong the
    /// examination forever, because conditions may begin tasks.
    fileprivate let latestBegin: UInt64
    fileprivate var batch: [Entry] = []
    fileprivate var hasEndedTask = false
    fileprivate var witness: Witness?

    fileprivate init(latestBegin: UInt64) { self.latestBegin = latestBegin }

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

    /// The caller must release the batch without holding the lock.
    mutating func takeBatch() -> [Entry] {
        defer { batch = [] }
        return batch
    }
}

struct Witness: Sendable {
    let key: ObjectIdentifier
    let began: Timestamp

    init(_ task: WeakTask) { (key, began) = (task.handle.key, task.record.began) }
}

extension ManagerState {
    mutating func beginExamination(ofEveryTask visitsEveryTask: Bool = false) -> Examination {
        var examination = Examination(latestBegin: tasks.lastID)
        if visitsEveryTask || tasks.hasGrown { examination.unvisitedCount = .max }
        load(&examination)
        return examination
    }

    mutating func load(_ examination: inout Examination) {
        if let unvisitedCount = examination.unvisitedCount {
            // The indices are visited in descending order, because a removal moves the last task into the gap. An
            // ascending traversal could miss the moved task.
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

    mutating func commit(_ examination: inout Examination, at now: Timestamp) -> Bool {
        for entry in examination.batch { commit(entry, to: &examination, at: now) }
        if let unvisitedCount = examination.unvisitedCount {
            guard unvisitedCount == 0 else { return false }
            finishVisitOfEveryTask(at: now)
        }
        if let witness = examination.witness, tasks.index(of: witness.key) == nil { examination.witness = nil }
        if examination.witness == nil, let newest = tasks.last, newest.handle.latestBegin > examination.latestBegin {
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
            // The presumed pause before `liveSince` ended the busy period, unless an older task was live during that
            // pause. Only an examination of every task can find such a task.
            if examination.unvisitedCount == nil, tasks.weakCount > 1,
                visibility.hasEndedPeriod(before: liveSince, hideDelay: hideDelay)
            {
                examination.unvisitedCount = .max
                return false
            }
            visibility.seeLiveTask(since: liveSince, at: now, hideDelay: hideDelay, isOldest: true)
        } else if visibility.isBusy, examination.hasEndedTask {
            // If `hasEndedTask` is `false`, a call ended the last task, and the call's thread records the time of the
            // end.
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

    mutating func visitEveryTaskForMonitors(_ examination: inout Examination, nextPoll: Timestamp) -> Bool {
        let isDue = isMonitored && examination.unvisitedCount == nil && latestVisit + longestPauseOfVisits < nextPoll
        if isDue { examination.unvisitedCount = .max }
        return isDue
    }
}
