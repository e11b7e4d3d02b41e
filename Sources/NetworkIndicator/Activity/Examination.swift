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
        /// Whether the condition has returned `false`.
        var isFinished = false

        var end: NetworkTaskEnd? { token == nil ? .deallocated : isFinished ? .finished : nil }
    }

    /// An examination skips the conditions of tasks that begin during it. Evaluating such conditions could prolong the
    /// examination forever, because conditions may begin tasks.
    let latestBegin: UInt64
    var isSecondWalk = false
    /// What to release after unlocking, apart from the batch. A label may be an Objective-C object.
    var remains: [any Sendable] = []
    /// The sources that a caller of `waitUntilIdle()` asks for their tasks.
    var sources: [any TaskSource] = []
    var batch: [Entry] = []
    var ended: [WeakTask] = []
    /// The exclusive upper bound of the indices still to visit.
    var unvisitedCount = Int.max
    /// The time at which the oldest live weak task that this examination found has begun.
    var oldestLive: Timestamp?

    mutating func releaseBatch() { (batch, ended, remains) = ([], [], []) }
}

extension ManagerState {
    /// The indices are visited in descending order, because a removal moves the last task into the gap. An ascending
    /// traversal could miss the moved task.
    mutating func load(_ examination: inout Examination) {
        let end = min(examination.unvisitedCount, tasks.weakCount)
        let start = max(0, end - Examination.batchSize)
        examination.batch = (start..<end).reversed().map { tasks.load(at: $0) }
        examination.unvisitedCount = start
    }

    /// Returns whether the examination is over. Otherwise, the caller loads the next batch.
    mutating func commit(_ examination: inout Examination, at now: Timestamp) -> Bool {
        var liveSince = tasks.explicitTasks.liveSince
        for index in examination.batch.indices {
            // Copying an entry would retain its objects.
            let (handle, end) = (examination.batch[index].handle, examination.batch[index].end)
            if let end, let ended = tasks.remove(handle) {
                examination.ended.append(ended)
                recordEnd(of: ended.record, end)
            } else if end != .deallocated, let began = tasks.record(of: handle.key)?.began {
                // The task is live, or began again while its condition was being evaluated.
                examination.oldestLive = min(examination.oldestLive ?? began, began)
                liveSince = min(liveSince ?? began, began)
            }
        }
        countBusyTime(since: liveSince, at: now)
        guard examination.unvisitedCount == 0 else { return examination.oldestLive != nil && !examinesEveryTask }
        tasks.resetGrowth()
        guard examination.oldestLive == nil, tasks.weakCount > 0, !examination.isSecondWalk else { return true }
        // The remaining tasks began during this examination.
        (examination.unvisitedCount, examination.isSecondWalk) = (.max, true)
        return false
    }

    /// Monitors and waiters learn of each end within one interval. If tasks begin faster than polls visit them, entries
    /// of deallocated tokens would accumulate without an occasional examination of every task.
    private var examinesEveryTask: Bool {
        isMonitored || !waiters.isEmpty || tasks.hasGrown || visibility.hasEarlierPeriods
    }

    // MARK: Queries

    mutating func beginQuery() -> Examination {
        var query = Examination(latestBegin: tasks.lastID)
        query.batch = (0..<tasks.weakCount).map { tasks.load(at: $0) }
        return query
    }

    /// The conditions that the query has asked may have ended some of its tasks.
    func endQuery(_ query: Examination) -> [TaskRecord] {
        tasks.explicitTasks.records
            + query.batch.filter { $0.end == nil }.compactMap { tasks.record(of: $0.handle.key) }
    }
}
