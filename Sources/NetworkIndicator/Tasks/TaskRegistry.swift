/// The tasks of a manager. It uses no clock, thread or indicator.
///
/// The tracker's lock guards it. Methods return what they load or remove, so that the caller releases it after
/// unlocking.
struct TaskRegistry {
    // Two dense arrays share their indices, so that reading a record doesn't copy a weak reference.
    private var tokens: [WeakWrapper] = []
    private var weakTasks: [WeakTask] = []
    /// The system reuses addresses, so a key doesn't identify an object. The weak reference must also load that object.
    private var indices: [ObjectIdentifier: Int] = [:]
    var explicitTasks = ExplicitTasks()
    private var lastID: UInt64 = 0
    private var sweepCursor = 0
    private var sweepLimit = 64

    var weakCount: Int { weakTasks.count }
    var count: Int { weakTasks.count + explicitTasks.count }
    var isBusy: Bool { !weakTasks.isEmpty || !explicitTasks.isEmpty }

    /// Makes the record of a new task, with the next identifier.
    mutating func makeRecord(
        label: String?, tokenType: (any Any.Type)?, began: Timestamp, origin: CallSite
    ) -> TaskRecord {
        lastID += 1
        return TaskRecord(id: lastID, label: label, tokenType: tokenType, began: began, origin: origin)
    }

    // MARK: Weak tasks

    enum BeginResult {
        case began
        /// The token has the address of a deallocated one, whose task ends.
        case replaced(WeakTask)
        case alreadyBegan
    }

    mutating func begin(_ token: AnyObject, _ record: TaskRecord, while condition: TaskCondition?) -> BeginResult {
        let task = WeakTask(key: ObjectIdentifier(token), condition: condition, record: record)
        guard let index = indices.updateValue(weakTasks.count, forKey: task.key) else {
            weakTasks.append(task)
            tokens.append(WeakWrapper(token))
            return .began
        }
        indices[task.key] = index
        // This loads `nil` or the token. The caller holds the token, so releasing it here never deallocates it.
        if tokens[index].load() === token { return .alreadyBegan }
        let stale = weakTasks[index]
        weakTasks[index] = task
        tokens[index] = WeakWrapper(token)
        return .replaced(stale)
    }

    /// Removes the task of a token, or of a deallocated one at the same address.
    ///
    /// - Parameter checksToken: Whether to check that the token is alive. The check takes a third as long as the rest.
    /// - Returns: The task, and whether its token was deallocated. In its own `deinit` a token counts as deallocated.
    mutating func finish(_ token: AnyObject, checksToken: Bool) -> (task: WeakTask, isDeallocated: Bool)? {
        guard let index = indices.removeValue(forKey: ObjectIdentifier(token)) else { return nil }
        // This loads nothing, or the token itself, which the caller holds.
        let isDeallocated = checksToken && tokens[index].load() == nil
        return (removeStorage(at: index), isDeallocated)
    }

    /// Removes a task. The caller holds the task, so nothing is released here.
    ///
    /// - Returns: Whether the task was still under way.
    mutating func remove(_ task: WeakTask) -> Bool {
        guard let index = index(of: task) else { return false }
        indices[task.key] = nil
        _ = removeStorage(at: index)
        return true
    }

    /// - Returns: Whether this call marked the task.
    mutating func markAsLongRunning(_ task: WeakTask, beganBefore limit: Timestamp?) -> Bool {
        guard let limit, task.record.began <= limit, let index = index(of: task) else { return false }
        return weakTasks[index].record.markAsLongRunning(beganBefore: limit)
    }

    private func index(of task: WeakTask) -> Int? {
        guard let index = indices[task.key], weakTasks[index].record.id == task.record.id else { return nil }
        return index
    }

    /// Removes a task that `indices` no longer contains, and moves the last one into the gap to keep the arrays dense.
    private mutating func removeStorage(at index: Int) -> WeakTask {
        sweepLimit = min(sweepLimit, limitForCount)
        // This doesn't use `swapAt`, which copies weak references.
        var (task, token) = (weakTasks.removeLast(), tokens.removeLast())
        if index < weakTasks.count {
            indices[task.key] = index
            swap(&weakTasks[index], &task)
            swap(&tokens[index], &token)
        }
        return task
    }

    // MARK: Sweeping

    enum Examined {
        case live(WeakTask, AnyObject)
        case ended(WeakTask)
    }

    /// Removes the weak task at an index if its token was deallocated.
    mutating func examine(at index: Int) -> Examined {
        if let token = tokens[index].load() { return .live(weakTasks[index], token) }
        indices[weakTasks[index].key] = nil
        return .ended(removeStorage(at: index))
    }

    /// Examines the next weak task, in rounds from the last one to the first. A removal moves the last task into the
    /// gap. In this direction, no round misses a moved task.
    mutating func examineNext() -> Examined? {
        guard !weakTasks.isEmpty else { return nil }
        if sweepCursor == 0 { sweepCursor = weakTasks.count }
        sweepCursor = min(sweepCursor, weakTasks.count) - 1
        let examined = examine(at: sweepCursor)
        if sweepCursor == 0 { sweepLimit = limitForCount }
        return examined
    }

    /// Whether a begin must examine older tasks, so that tasks with deallocated tokens don't accumulate.
    ///
    /// An examination costs as much as two locks, and finds nothing if tasks are finished explicitly. Without
    /// a monitor, it is therefore done only if the number of tasks has grown by more than an eighth plus 64.
    var needsSweep: Bool { weakTasks.count > sweepLimit }

    private var limitForCount: Int { weakTasks.count + weakTasks.count / 8 + 64 }

    // MARK: All tasks

    /// Removes every task, and returns the storage. Identifiers continue.
    mutating func removeAll() -> TaskRegistry {
        let old = self
        self = TaskRegistry()
        lastID = old.lastID
        return old
    }

    func forEachRecord(_ body: (TaskRecord) -> Void) {
        weakTasks.forEach { body($0.record) }
        explicitTasks.forEach(body)
    }
}
