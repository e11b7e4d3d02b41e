/// The examination of a turn or a query: it knows which weak tasks are still to visit, and holds the loaded ones.
///
/// The lock is held while a batch is loaded and while its results are committed, but not while conditions are
/// evaluated.
struct Examination {
    /// This size limits how long the lock is held for each batch, and what a poll costs with a million tasks.
    static let batchSize = 1_024

    struct Entry {
        let handle: WeakTask.Handle
        let condition: TaskCondition?
        let token: AnyObject?
        var isLive: Bool
        /// The label of a task that has ended, because a label may be an Objective-C object.
        var label: String?
    }

    /// The exclusive upper bound of the indices still to visit.
    fileprivate var unvisitedCount: Int
    fileprivate var startedAtNewest: Bool
    fileprivate(set) var asksConditions = true
    /// An examination skips the conditions of tasks that begin during it. Evaluating such conditions could prolong the
    /// examination forever, because conditions may begin tasks.
    let latestBegin: UInt64
    /// The batch keeps the conditions and labels of tasks that end, so that no object of a caller is deallocated while
    /// the lock is held.
    var batch: [Entry] = []
    /// The time at which the oldest live weak task that this examination found has begun.
    fileprivate(set) var oldestLive: Timestamp?
    fileprivate(set) var hasEndedTask = false
    var remains: [any Sendable]
    fileprivate var mayReleaseObjects: Bool

    init(from unvisitedCount: Int = .max, latestBegin: UInt64, remains: [any Sendable] = []) {
        (self.unvisitedCount, self.latestBegin, self.remains) = (unvisitedCount, latestBegin, remains)
        (startedAtNewest, mayReleaseObjects) = (unvisitedCount == .max, !remains.isEmpty)
    }

    fileprivate mutating func startAtNewest() { (unvisitedCount, startedAtNewest) = (.max, true) }
}

extension ManagerState {
    /// Monitors and waiters learn of each end within one interval. If tasks begin faster than polls visit them, entries
    /// of deallocated tokens would accumulate without an occasional examination of every task.
    var examinesEveryTask: Bool { isMonitored || !waiters.isEmpty || tasks.hasGrown }

    /// The indices are visited in descending order, because a removal moves the last task into the gap. An ascending
    /// traversal could miss the moved task.
    mutating func load(_ examination: inout Examination) {
        let end = min(examination.unvisitedCount, tasks.weakCount)
        let start = max(0, end - Examination.batchSize)
        examination.batch = (start..<end).reversed().map { tasks.load(at: $0) }
        examination.unvisitedCount = start
        nextUnvisitedCount = start == 0 ? .max : start
    }

    /// Returns whether the examination is over. Otherwise, the caller loads the next batch.
    mutating func commit(_ examination: inout Examination, at now: Timestamp) -> Bool {
        var oldestInBatch: Timestamp?
        let batch = examination.batch
        for index in batch.indices {
            // Copying an entry would retain its objects.
            let (handle, isDeallocated) = (batch[index].handle, batch[index].token == nil)
            let ended = batch[index].isLive ? nil : tasks.remove(handle)
            if batch[index].condition != nil, examination.asksConditions || ended != nil {
                examination.mayReleaseObjects = true
            }
            if let ended {
                examination.hasEndedTask = true
                examination.batch[index].label = ended.record.label
                if isMonitored { recordEnd(of: ended.record, isDeallocated ? .deallocated : .finished) }
            } else if !isDeallocated, let began = tasks.began(handle.key) {
                // The task is live, or began again while its condition was being evaluated.
                oldestInBatch = min(oldestInBatch ?? began, began)
            }
        }
        if let began = oldestInBatch {
            examination.oldestLive = min(examination.oldestLive ?? began, began)
            let liveSince = min(tasks.explicitTasks.liveSince ?? began, began)
            visibility.seeLiveTask(since: liveSince, at: now, shortestPause: shortestPause)
        }
        return isOver(&examination)
    }

    private mutating func isOver(_ examination: inout Examination) -> Bool {
        let hasFoundLiveTask = examination.oldestLive != nil
        if examination.unvisitedCount > 0 {
            guard hasFoundLiveTask, !examinesEveryTask else { return false }
        } else if examination.startedAtNewest {
            tasks.resetGrowth()
        } else if !hasFoundLiveTask || examinesEveryTask {
            examination.startAtNewest()
            return false
        }
        // The batch and the remains may have been the last owners of live objects: a condition may release objects when
        // it is called, and when its task ends. Another walk, which asks no condition, keeps the indicator off for
        // them.
        guard !visibility.isVisible, examination.mayReleaseObjects, !tasks.isEmpty else { return true }
        (examination.asksConditions, examination.mayReleaseObjects, examination.oldestLive) = (false, false, nil)
        examination.startAtNewest()
        return false
    }

    // MARK: Queries

    mutating func beginQuery() -> Examination {
        var query = Examination(latestBegin: tasks.lastID)
        query.batch = (0..<tasks.weakCount).map { tasks.load(at: $0) }
        return query
    }

    /// The conditions that the query has asked may have ended some of its tasks, and may have begun others.
    mutating func endQuery(_ query: inout Examination) -> [TaskRecord] {
        for index in 0..<tasks.weakCount where tasks.latestBegin(at: index) > query.latestBegin {
            query.batch.append(tasks.load(at: index))
        }
        let live = query.batch.filter(\.isLive).compactMap { tasks.record(of: $0.handle) }
        return tasks.explicitTasks.records + live
    }
}
