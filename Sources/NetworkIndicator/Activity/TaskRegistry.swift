/// The condition of a task. It is a caller's closure, so it is never called or released while a lock is held.
typealias TaskCondition = @MainActor @Sendable (AnyObject) -> Bool

/// A task that lasts until a caller's object is deallocated or finished, or until its condition is false.
struct WeakTask: Sendable {
    /// Identifies a task and the latest call that began it. If the task begins again while its condition is running,
    /// the condition's result doesn't end the task.
    struct Handle: Sendable, Equatable {
        let key: ObjectIdentifier
        let latestBegin: UInt64
    }

    fileprivate(set) var condition: TaskCondition?
    fileprivate(set) var record: TaskRecord
    fileprivate(set) var handle: Handle
}

/// Stores the tasks of a manager. The registry doesn't use clocks, threads or indicators.
///
/// The tracker's lock guards the registry. Methods return the objects that they load or remove, so that the caller can
/// release these objects after unlocking.
struct TaskRegistry: Sendable {
    // Two dense arrays share their indices, so that reading a record doesn't copy a weak reference.
    private var tokens: [WeakWrapper] = []
    private var weakTasks: [WeakTask] = []
    /// The index of each task in the two arrays. The system reuses addresses, so a key alone doesn't identify an
    /// object: the weak reference must also load that object. Four-byte indices save eight bytes for each task.
    private var indices: [ObjectIdentifier: UInt32] = [:]
    var explicitTasks = ExplicitTasks()
    /// The latest identifier that was assigned.
    private(set) var lastID: UInt64 = 0
    private var weakCountLimit = 64

    var weakCount: Int { weakTasks.count }
    var count: Int { weakTasks.count + explicitTasks.count }
    var isEmpty: Bool { weakTasks.isEmpty && explicitTasks.isEmpty }

    /// Creates the record of a task that is about to begin.
    mutating func makeRecord(
        label: String?, tokenType: (any Any.Type)?, origin: CallSite, at now: Timestamp
    ) -> TaskRecord {
        lastID += 1
        return TaskRecord(
            id: lastID, label: label, began: now, tokenType: tokenType, fileID: origin.fileID,
            line: UInt32(clamping: origin.line))
    }

    // MARK: Weak tasks

    /// Begins a task that lasts as long as a token. If the token's task is already under way, replaces the label and
    /// the condition of that task. The task keeps its start time, unless it had a condition.
    ///
    /// - Returns: Whether the task is new, and the task that it replaces. That is the token's earlier task, or the task
    ///   of a deallocated token at the same address. The latter task has ended.
    mutating func begin(
        _ token: AnyObject, _ task: TaskRecord, while condition: TaskCondition?
    ) -> (isNew: Bool, replaced: WeakTask?) {
        var new = WeakTask(
            condition: condition, record: task,
            handle: WeakTask.Handle(key: ObjectIdentifier(token), latestBegin: task.id))
        guard let oldIndex = indices.updateValue(UInt32(weakTasks.count), forKey: new.handle.key) else {
            weakTasks.append(new)
            tokens.append(WeakWrapper(token))
            return (true, nil)
        }
        indices[new.handle.key] = oldIndex
        let index = Int(oldIndex)
        // This loads `nil` or the token itself. The caller holds the token, so releasing the loaded reference never
        // deallocates it.
        let isNew = tokens[index].load() !== token
        if isNew {
            tokens[index] = WeakWrapper(token)
        } else {
            let old = weakTasks[index]
            new.record = old.record
            new.record.label = task.label
            // An earlier condition may have been false for a long time.
            if old.condition != nil { new.record.began = task.began }
        }
        swap(&weakTasks[index], &new)
        return (isNew, new)
    }

    /// Removes the task of a token, or of a deallocated token that had the same address.
    ///
    /// - Parameter checksToken: Whether to check that the token is alive. The check takes a third as long as the rest
    ///   of the call.
    /// - Returns: The task, and whether its token was deallocated. A token that calls this in its own `deinit` counts
    ///   as deallocated.
    mutating func finish(_ token: AnyObject, checksToken: Bool) -> (task: WeakTask, isDeallocated: Bool)? {
        guard let index = indices.removeValue(forKey: ObjectIdentifier(token)).map(Int.init) else { return nil }
        // This loads `nil` or the token itself, which the caller holds.
        let isDeallocated = checksToken && tokens[index].load() == nil
        return (removeStorage(at: index), isDeallocated)
    }

    /// Removes a task, unless it has already ended or has begun again.
    mutating func remove(_ handle: WeakTask.Handle) -> WeakTask? {
        guard let index = index(of: handle) else { return nil }
        indices[handle.key] = nil
        return removeStorage(at: index)
    }

    /// Marks a task if it has lasted for at least `threshold`. Returns the task's record if this call marked it.
    mutating func markAsLongRunning(
        _ handle: WeakTask.Handle, after threshold: Duration, at now: Timestamp
    ) -> TaskRecord? {
        index(of: handle).flatMap { weakTasks[$0].record.markAsLongRunning(after: threshold, at: now) }
    }

    private func index(of handle: WeakTask.Handle) -> Int? {
        index(of: handle.key).flatMap { weakTasks[$0].handle == handle ? $0 : nil }
    }

    func index(of key: ObjectIdentifier) -> Int? { indices[key].map(Int.init) }

    /// Removes a task that `indices` no longer contains. Moves the last task into the gap to keep the arrays dense.
    private mutating func removeStorage(at index: Int) -> WeakTask {
        // This doesn't use `swapAt`, which copies weak references.
        var (task, token) = (weakTasks.removeLast(), tokens.removeLast())
        if index < weakTasks.count {
            indices[task.handle.key] = UInt32(index)
            swap(&weakTasks[index], &task)
            swap(&tokens[index], &token)
        }
        return task
    }

    // MARK: Loading

    /// Loads the weak task at an index, with a strong reference to its token.
    mutating func load(at index: Int) -> Examination.Entry {
        Examination.Entry(task: weakTasks[index], token: tokens[index].load())
    }

    /// The task at the last index.
    var newest: WeakTask? { weakTasks.last }

    /// Whether the number of weak tasks has doubled since an examination last visited every task.
    ///
    /// A poll loads only one live task. Without further examinations, tasks of deallocated tokens would accumulate.
    var hasGrown: Bool { weakTasks.count > weakCountLimit }

    /// Records that an examination has visited every task.
    mutating func resetGrowth() { weakCountLimit = 2 * weakTasks.count + 64 }

    // MARK: All tasks

    /// Removes every task, and returns the storage. The registry doesn't reuse identifiers.
    mutating func removeAll() -> TaskRegistry {
        defer { self = TaskRegistry(lastID: lastID) }
        return self
    }

    /// The records of all tasks.
    var records: [TaskRecord] { weakTasks.map(\.record) + explicitTasks.records }
}
