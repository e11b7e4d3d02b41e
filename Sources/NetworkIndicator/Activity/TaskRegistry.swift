/// The condition of a task. It is a caller's code, so it is neither called nor released under a lock.
typealias TaskCondition = @Sendable (AnyObject) -> Bool

/// A task that lasts as long as a caller's object, and as long as its condition is true.
struct WeakTask {
    /// Identifies a task and its latest begin.
    struct Handle {
        let key: ObjectIdentifier
        let id: UInt64
        let beginCount: UInt32
    }

    let key: ObjectIdentifier
    let condition: TaskCondition?
    var record: TaskRecord
    /// How often the token began this task. If the token begins again while its condition is being asked, the old
    /// answer doesn't end the task.
    var beginCount: UInt32 = 0

    var handle: Handle { Handle(key: key, id: record.id, beginCount: beginCount) }
}

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
    private var weakCountLimit = 64

    var weakCount: Int { weakTasks.count }
    var count: Int { weakTasks.count + explicitTasks.count }
    var isEmpty: Bool { weakTasks.isEmpty && explicitTasks.isEmpty }

    /// The identifier of the next task.
    private mutating func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Begins a task that its caller ends.
    mutating func begin(
        tokenType: (any Any.Type)?, label: String?, origin: CallSite, at now: Timestamp
    ) -> ExplicitTasks.Handle {
        explicitTasks.insert(
            TaskRecord(id: nextID(), label: label, tokenType: tokenType, began: now, origin: origin))
    }

    // MARK: Weak tasks

    enum BeginResult {
        case began
        /// The token has the address of a deallocated one, whose task ends.
        case replaced(WeakTask)
        case alreadyBegan
    }

    /// Begins a task that lasts as long as a token.
    mutating func begin(
        _ token: AnyObject, label: String?, origin: CallSite, while condition: TaskCondition?, at now: Timestamp
    ) -> BeginResult {
        let key = ObjectIdentifier(token)
        let index = indices.updateValue(weakTasks.count, forKey: key)
        if let index {
            indices[key] = index
            // This loads `nil` or the token. The caller holds the token, so releasing it here never deallocates it.
            if tokens[index].load() === token {
                weakTasks[index].beginCount &+= 1
                return .alreadyBegan
            }
        }
        let task = WeakTask(
            key: key, condition: condition,
            record: TaskRecord(id: nextID(), label: label, tokenType: type(of: token), began: now, origin: origin))
        guard let index else {
            weakTasks.append(task)
            tokens.append(WeakWrapper(token))
            return .began
        }
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

    /// Removes a task, unless it has ended, or its token has begun it again.
    mutating func remove(_ handle: WeakTask.Handle) -> WeakTask? {
        guard let index = index(of: handle), weakTasks[index].beginCount == handle.beginCount else { return nil }
        indices[handle.key] = nil
        return removeStorage(at: index)
    }

    func contains(_ handle: WeakTask.Handle) -> Bool { index(of: handle) != nil }

    mutating func markAsLongRunning(_ handle: WeakTask.Handle) -> Bool {
        guard let index = index(of: handle), !weakTasks[index].record.isReportedAsLongRunning else { return false }
        weakTasks[index].record.markAsLongRunning()
        return true
    }

    private func index(of handle: WeakTask.Handle) -> Int? {
        indices[handle.key].flatMap { weakTasks[$0].record.id == handle.id ? $0 : nil }
    }

    /// Removes a task that `indices` no longer contains, and moves the last one into the gap to keep the arrays dense.
    private mutating func removeStorage(at index: Int) -> WeakTask {
        // This doesn't use `swapAt`, which copies weak references.
        var (task, token) = (weakTasks.removeLast(), tokens.removeLast())
        if index < weakTasks.count {
            indices[task.key] = index
            swap(&weakTasks[index], &task)
            swap(&tokens[index], &token)
        }
        return task
    }

    /// The record of a token's task.
    func record(of token: AnyObject) -> TaskRecord? { indices[ObjectIdentifier(token)].map { weakTasks[$0].record } }

    // MARK: Loading

    /// Loads the weak task at an index, with a strong reference to its token.
    mutating func load(at index: Int, withRecord: Bool) -> Sweep.Loaded {
        Sweep.Loaded(
            handle: weakTasks[index].handle, condition: weakTasks[index].condition, token: tokens[index].load(),
            record: withRecord ? weakTasks[index].record : nil)
    }

    /// Whether the number of weak tasks has doubled since the last examination of every task.
    ///
    /// Tasks of deallocated tokens would otherwise accumulate while one long-lived token ends every poll.
    var hasGrown: Bool { weakTasks.count > weakCountLimit }

    /// Records that every task has been examined, or that this has been requested.
    mutating func resetGrowth() { weakCountLimit = 2 * weakTasks.count + 64 }

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
