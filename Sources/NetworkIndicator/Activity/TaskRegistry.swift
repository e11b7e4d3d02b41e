/// The condition of a task. It is a caller's code, so it is neither called nor released under a lock.
typealias TaskCondition = @Sendable (AnyObject) -> Bool

/// A task that lasts until a caller's object is deallocated or finished, or its condition is false.
struct WeakTask: Sendable {
    /// Identifies a task and its latest begin. If the token begins again while its condition runs, the earlier result
    /// doesn't end the task.
    struct Handle: Sendable, Equatable {
        let key: ObjectIdentifier
        let latestBegin: UInt64
    }

    var condition: TaskCondition?
    var record: TaskRecord
    var handle: Handle
}

/// The tasks of a manager. It uses no clock, thread or indicator.
///
/// The tracker's lock guards it. Methods return what they load or remove, so that the caller releases it after
/// unlocking.
struct TaskRegistry: Sendable {
    // Two dense arrays share their indices, so that reading a record doesn't copy a weak reference.
    private var tokens: [WeakWrapper] = []
    private var weakTasks: [WeakTask] = []
    /// The system reuses addresses, so a key doesn't identify an object. The weak reference must also load that object.
    /// Indices of four bytes save eight for each task.
    private var indices: [ObjectIdentifier: UInt32] = [:]
    var explicitTasks = ExplicitTasks()
    /// The identifier of the latest begin.
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

    /// Begins a task that lasts as long as a token. If the token has begun one, replaces its label and condition.
    ///
    /// - Returns: Whether the task is new, and what it replaces, to be released after unlocking. A new task replaces that
    ///   of a deallocated token at the same address, which ends.
    mutating func begin(
        _ token: AnyObject, _ task: TaskRecord, while condition: TaskCondition?
    ) -> (isNew: Bool, replaced: WeakTask?) {
        let handle = WeakTask.Handle(key: ObjectIdentifier(token), latestBegin: task.id)
        guard let oldIndex = indices.updateValue(UInt32(weakTasks.count), forKey: handle.key) else {
            weakTasks.append(WeakTask(condition: condition, record: task, handle: handle))
            tokens.append(WeakWrapper(token))
            return (true, nil)
        }
        indices[handle.key] = oldIndex
        let index = Int(oldIndex)
        // This loads `nil` or the token. The caller holds the token, so releasing it here never deallocates it.
        let old = weakTasks[index]
        if tokens[index].load() === token {
            weakTasks[index].record.label = task.label
            weakTasks[index].condition = condition
            weakTasks[index].handle = handle
            return (false, old)
        }
        weakTasks[index] = WeakTask(condition: condition, record: task, handle: handle)
        tokens[index] = WeakWrapper(token)
        return (true, old)
    }

    /// Removes the task of a token, or of a deallocated token that had the same address.
    ///
    /// - Parameter checksToken: Whether to check that the token is alive. The check takes a third as long as the rest.
    /// - Returns: The task, and whether its token was deallocated. In its own `deinit` a token counts as deallocated.
    mutating func finish(_ token: AnyObject, checksToken: Bool) -> (task: WeakTask, isDeallocated: Bool)? {
        guard let index = indices.removeValue(forKey: ObjectIdentifier(token)).map(Int.init) else { return nil }
        // This loads nothing, or the token itself, which the caller holds.
        let isDeallocated = checksToken && tokens[index].load() == nil
        return (removeStorage(at: index), isDeallocated)
    }

    /// Removes a task, unless it has ended, or its token has begun it again.
    mutating func remove(_ handle: WeakTask.Handle) -> WeakTask? {
        guard let index = index(of: handle) else { return nil }
        indices[handle.key] = nil
        return removeStorage(at: index)
    }

    mutating func markAsLongRunning(_ handle: WeakTask.Handle) -> Bool {
        index(of: handle).map { weakTasks[$0].record.markAsLongRunning() } ?? false
    }

    private func index(of handle: WeakTask.Handle) -> Int? {
        indices[handle.key].map(Int.init).flatMap { weakTasks[$0].handle == handle ? $0 : nil }
    }

    /// Removes a task that `indices` no longer contains, and moves the last one into the gap to keep the arrays dense.
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
    mutating func load(at index: Int, withRecord: Bool) -> Sweep.Loaded {
        let token = tokens[index].load()
        return Sweep.Loaded(
            handle: weakTasks[index].handle, condition: weakTasks[index].condition, token: token,
            record: withRecord ? weakTasks[index].record : nil, isLive: token == nil ? false : nil)
    }

    /// Whether the number of weak tasks has doubled since the last examination of every task.
    ///
    /// Polls end at the first live task. Without further examinations, tasks of deallocated tokens would accumulate as
    /// long as one token stays alive.
    var hasGrown: Bool { weakTasks.count > weakCountLimit }

    /// Records that every task has been examined, or that this has been requested.
    mutating func resetGrowth() { weakCountLimit = 2 * weakTasks.count + 64 }

    // MARK: All tasks

    /// Removes every task, and returns the storage. Identifiers aren't reused.
    mutating func removeAll() -> TaskRegistry {
        defer { self = TaskRegistry(lastID: lastID) }
        return self
    }

    /// The records of all tasks.
    var records: [TaskRecord] { weakTasks.map(\.record) + explicitTasks.records }
}

/// The tasks that their callers end: opaque tokens, scopes, and increments of the activity count.
///
/// This is a slot map: a task keeps its slot until it ends, so a handle leads to its task without a search.
struct ExplicitTasks: Sendable {
    /// Identifies a task. Identifiers are unique, so a stale handle finds nothing, even if another task uses its slot.
    struct Handle: Sendable {
        let id: UInt64
        let slot: Int
    }

    private var slots: [TaskRecord?] = []
    private var freeSlots: [Int] = []
    private var increments: [Handle] = []

    var count: Int { slots.count - freeSlots.count }
    var isEmpty: Bool { count == 0 }
    /// The number of slots, including free ones: the upper bound for a loop over all tasks.
    var slotCount: Int { slots.count }

    /// Begins a task.
    mutating func insert(_ record: TaskRecord) -> Handle {
        let slot = freeSlots.popLast() ?? slots.count
        let handle = Handle(id: record.id, slot: slot)
        if slot < slots.count { slots[slot] = record } else { slots.append(record) }
        if record.tokenType == nil { increments.append(handle) }
        return handle
    }

    private func contains(_ handle: Handle) -> Bool {
        handle.slot < slots.count && slots[handle.slot]?.id == handle.id
    }

    /// Removes a task.
    ///
    /// - Returns: Its record, to be released after unlocking, or `nil` if it has already ended.
    mutating func remove(_ handle: Handle) -> TaskRecord? {
        guard contains(handle) else { return nil }
        freeSlots.append(handle.slot)
        return slots[handle.slot].take()
    }

    /// Removes and returns the handle of the latest increment of the activity count. The task itself remains.
    mutating func takeLatestIncrement() -> Handle? { increments.popLast() }

    var records: [TaskRecord] { slots.compactMap(\.self) }

    func task(inSlot slot: Int) -> (handle: Handle, record: TaskRecord)? {
        slots[slot].map { (Handle(id: $0.id, slot: slot), $0) }
    }

    mutating func markAsLongRunning(_ handle: Handle) -> Bool {
        contains(handle) && slots[handle.slot]?.markAsLongRunning() == true
    }
}

/// A weak reference to a caller's object.
///
/// A load creates a strong reference, and releasing that can deallocate the object. Code that loads under a lock
/// therefore returns the object, and releases it after unlocking.
///
/// The registry relies on three properties of weak references, on every platform:
/// - A load returns `nil` once deallocation has begun, so a finish in `deinit` finds the reference empty.
/// - A load is atomic with the last release on another thread. It returns a live object or `nil`.
/// - A reference to a deallocated object stays empty, even if a new object gets the same address.
///
/// Objective-C objects have these properties too, but their loads cost more, because the runtime searches a table. A
/// load runs the code of classes that override `retainWeakReference` or `retain`. An autoreleased object, and its task,
/// live until the pool is drained. A load here doesn't autorelease the object.
// `@unchecked Sendable`: the tracker's lock guards the reference. The object itself is only compared, passed to its
// `@Sendable` condition, and released.
struct WeakWrapper: @unchecked Sendable {
    private weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }

    /// Returns the object, or `nil` once its deallocation has begun.
    ///
    /// The method is mutating so that an array element is accessed in place. On Apple's systems, copying a weak
    /// reference loads the object.
    mutating func load() -> AnyObject? { object }
}
