/// A condition is a caller's closure, so the manager calls and releases it only after unlocking.
typealias TaskCondition = @MainActor @Sendable (AnyObject) -> Bool

/// A task whose token is a caller's object.
struct WeakTask: Sendable {
    /// If the task begins again while its condition is running, `latestBegin` prevents the condition's result from
    /// ending the task.
    struct Handle: Sendable, Equatable {
        let key: ObjectIdentifier
        let latestBegin: UInt64
    }

    fileprivate(set) var condition: TaskCondition?
    fileprivate(set) var record: TaskRecord
    fileprivate(set) var handle: Handle
}

/// Methods return the objects that they load or remove, so that the caller can release them after unlocking.
struct TaskRegistry: Sendable {
    // Tokens and tasks are stored in separate arrays with the same indices, so that reading a record doesn't copy a
    // weak reference.
    private var tokens: [WeakWrapper] = []
    private var weakTasks: [WeakTask] = []
    /// The system reuses addresses, so a key identifies a token only while the weak reference to it isn't `nil`.
    /// For each task, `UInt32` indices save 5 to 11 bytes, depending on the dictionary's load factor.
    private var indices: [ObjectIdentifier: UInt32] = [:]
    var explicitTasks = ExplicitTasks()
    private(set) var lastID: UInt64 = 0
    private var weakCountLimit = 64

    var weakCount: Int { weakTasks.count }
    var count: Int { weakTasks.count + explicitTasks.count }
    var isEmpty: Bool { weakTasks.isEmpty && explicitTasks.isEmpty }

    mutating func makeRecord(
        label: String?, tokenType: (any Any.Type)?, origin: CallSite, at now: Timestamp
    ) -> TaskRecord {
        lastID += 1
        return TaskRecord(
            id: lastID, label: label, began: now, tokenType: tokenType, fileID: origin.fileID,
            line: UInt32(clamping: origin.line))
    }

    // MARK: Weak tasks

    /// Returns whether the task is new, and the task that it replaces: the token's earlier task, or the task of a
    /// deallocated token at the same address.
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
        // The loaded reference is `nil` or the token itself. The caller holds the token, so releasing the reference
        // never deallocates the token.
        let isNew = tokens[index].load() !== token
        if isNew {
            tokens[index] = WeakWrapper(token)
        } else {
            let old = weakTasks[index]
            new.record = old.record
            new.record.label = task.label
            // The earlier condition may have been false for a long time, so the earlier start time is unreliable.
            if old.condition != nil { new.record.began = task.began }
        }
        swap(&weakTasks[index], &new)
        return (isNew, new)
    }

    /// Removes the task of a token, or of a deallocated token that had the same address.
    ///
    /// - Parameter checksToken: Whether to check that the task's token is alive, which takes a third as long as the
    ///   rest of the call.
    /// - Returns: The task, and whether the token was deallocated. A token whose own `deinit` finishes the task counts
    ///   as deallocated.
    mutating func finish(_ token: AnyObject, checksToken: Bool) -> (task: WeakTask, isDeallocated: Bool)? {
        guard let index = indices.removeValue(forKey: ObjectIdentifier(token)).map(Int.init) else { return nil }
        // As in `begin`, releasing the loaded reference never deallocates an object.
        let isDeallocated = checksToken && tokens[index].load() == nil
        return (removeStorage(at: index), isDeallocated)
    }

    mutating func remove(_ handle: WeakTask.Handle) -> WeakTask? {
        guard let index = index(of: handle) else { return nil }
        indices[handle.key] = nil
        return removeStorage(at: index)
    }

    mutating func markAsLongRunning(
        _ handle: WeakTask.Handle, after threshold: Duration, at now: Timestamp
    ) -> TaskRecord? {
        index(of: handle).flatMap { weakTasks[$0].record.markAsLongRunning(after: threshold, at: now) }
    }

    private func index(of handle: WeakTask.Handle) -> Int? {
        index(of: handle.key).flatMap { weakTasks[$0].handle == handle ? $0 : nil }
    }

    func index(of key: ObjectIdentifier) -> Int? { indices[key].map(Int.init) }

    /// The caller must have removed the task from `indices`.
    private mutating func removeStorage(at index: Int) -> WeakTask {
        // `swapAt` would copy weak references.
        var (task, token) = (weakTasks.removeLast(), tokens.removeLast())
        if index < weakTasks.count {
            indices[task.handle.key] = UInt32(index)
            swap(&weakTasks[index], &task)
            swap(&tokens[index], &token)
        }
        return task
    }

    // MARK: Loading

    mutating func load(at index: Int) -> Examination.Entry {
        Examination.Entry(task: weakTasks[index], token: tokens[index].load())
    }

    /// Usually the newest task, although a removal or a reused address can place the newest task at a lower index.
    var last: WeakTask? { weakTasks.last }

    /// Most polls examine only the witness. Without occasional examinations of every task, tasks of deallocated tokens
    /// would accumulate.
    var hasGrown: Bool { weakTasks.count > weakCountLimit }

    mutating func resetGrowth() { weakCountLimit = 2 * weakTasks.count + 64 }

    // MARK: All tasks

    /// The new registry keeps the last identifier, so that identifiers stay unique.
    mutating func removeAll() -> TaskRegistry {
        defer { self = TaskRegistry(lastID: lastID) }
        return self
    }

    var records: [TaskRecord] { weakTasks.map(\.record) + explicitTasks.records }
}
