package struct CallSite: Sendable {
    package let fileID: StaticString
    /// A `UInt` would make each task's record larger by 8 bytes.
    private let shortLine: UInt32

    package init(fileID: StaticString, line: UInt) { (self.fileID, shortLine) = (fileID, UInt32(clamping: line)) }

    package var line: UInt { UInt(shortLine) }
}

struct TaskRecord: Sendable {
    let id: UInt64
    var label: String?
    let began: Timestamp
    /// This is `nil` for an increment of the activity count.
    let tokenType: (any Any.Type)?
    let origin: CallSite
}

/// A condition is a caller's closure, so the manager never calls or deallocates it while the lock is held.
package typealias TaskCondition = @MainActor @Sendable (AnyObject) -> Bool

struct WeakTask: Sendable {
    /// If the task begins again while its condition is running, `latestBegin` prevents the condition's result from
    /// ending the task.
    struct Handle: Sendable {
        let key: ObjectIdentifier
        let latestBegin: UInt64
    }

    var condition: TaskCondition?
    fileprivate(set) var record: TaskRecord
    fileprivate(set) var handle: Handle
}

struct TaskRegistry: Sendable {
    // Tokens and tasks are stored in separate arrays with the same indices, so that reading a record doesn't copy a
    // weak reference.
    private var tokens: [WeakWrapper] = []
    private var weakTasks: [WeakTask] = []
    /// Addresses are reused, so a key identifies a token only while the weak reference to the token isn't `nil`.
    private var indices: [ObjectIdentifier: Int] = [:]
    /// A call that ends a task or replaces its condition moves the condition here, because the call's thread may not
    /// know what the condition retains. The next turn releases the conditions on the main actor.
    var removedConditions: [any Sendable] = []
    var explicitTasks = ExplicitTasks()
    private(set) var lastID: UInt64 = 0
    private var limit = smallestLimit

    private static let smallestLimit = 64

    var weakCount: Int { weakTasks.count }
    var isEmpty: Bool { weakTasks.isEmpty && explicitTasks.isEmpty }

    mutating func makeRecord(
        label: String?, tokenType: (any Any.Type)?, origin: CallSite, at now: Timestamp
    ) -> TaskRecord {
        lastID += 1
        return TaskRecord(id: lastID, label: label, began: now, tokenType: tokenType, origin: origin)
    }

    // MARK: Weak tasks

    /// `replaced` is the previous value of the token's task, or the task of a deallocated token that had the same
    /// address.
    mutating func begin(
        _ token: AnyObject, _ task: TaskRecord, while condition: TaskCondition?
    ) -> (isNew: Bool, replaced: WeakTask?) {
        var new = WeakTask(
            condition: condition, record: task,
            handle: WeakTask.Handle(key: ObjectIdentifier(token), latestBegin: task.id))
        guard let index = indices.updateValue(weakTasks.count, forKey: new.handle.key) else {
            weakTasks.append(new)
            tokens.append(WeakWrapper(token))
            return (true, nil)
        }
        indices[new.handle.key] = index
        // The loaded reference is `nil` or the token that the caller holds, so releasing the reference deallocates
        // nothing.
        let isNew = tokens[index].load() !== token
        if isNew {
            tokens[index] = WeakWrapper(token)
        } else {
            new.record = weakTasks[index].record
            new.record.label = task.label
        }
        swap(&weakTasks[index], &new)
        if let condition = new.condition.take() { removedConditions.append(condition) }
        return (isNew, new)
    }

    /// Checking whether the token is alive takes a third as long as the rest of the call, so the check is optional. A
    /// token whose own `deinit` finishes the task counts as deallocated.
    mutating func finish(_ token: AnyObject, checksToken: Bool) -> (task: WeakTask, isDeallocated: Bool)? {
        guard let index = indices.removeValue(forKey: ObjectIdentifier(token)) else { return nil }
        // The loaded reference is `nil` or the token that the caller holds, so releasing the reference deallocates
        // nothing.
        let isDeallocated = checksToken && tokens[index].load() == nil
        if let condition = weakTasks[index].condition.take() { removedConditions.append(condition) }
        return (removeStorage(at: index), isDeallocated)
    }

    mutating func remove(_ handle: WeakTask.Handle) -> WeakTask? {
        guard let entry = indices.index(forKey: handle.key) else { return nil }
        let index = indices[entry].value
        guard weakTasks[index].handle.latestBegin == handle.latestBegin else { return nil }
        indices.remove(at: entry)
        return removeStorage(at: index)
    }

    func record(of key: ObjectIdentifier) -> TaskRecord? { indices[key].map { weakTasks[$0].record } }

    /// The caller must have removed the task from `indices`.
    private mutating func removeStorage(at index: Int) -> WeakTask {
        // `swapAt` would copy weak references.
        var (task, token) = (weakTasks.removeLast(), tokens.removeLast())
        if index < weakTasks.count {
            indices[task.handle.key] = index
            swap(&weakTasks[index], &task)
            swap(&tokens[index], &token)
        }
        return task
    }

    // MARK: Loading

    mutating func load(at index: Int) -> Examination.Entry {
        Examination.Entry(
            handle: weakTasks[index].handle, condition: weakTasks[index].condition, token: tokens[index].load())
    }

    /// Whether the number of weak tasks and removed conditions has doubled since an examination last visited every
    /// task.
    var hasGrown: Bool { weakTasks.count + removedConditions.count > limit }

    mutating func resetGrowth() { limit = 2 * weakTasks.count + Self.smallestLimit }

    // MARK: All tasks

    mutating func removeAll() -> TaskRegistry {
        defer { self = TaskRegistry(lastID: lastID) }
        return self
    }

    var records: [TaskRecord] { weakTasks.map(\.record) + explicitTasks.records }
}

/// The registry relies on three properties that weak references have on every platform:
/// - A reference is `nil` once deallocation has begun, even in the object's own `deinit`.
/// - Reading a reference is atomic with respect to the last release on another thread.
/// - A reference to a deallocated object stays `nil`, even if a new object gets the same address.
///
/// An Objective-C override of `retainWeakReference` runs while the lock is held, so it must not call the manager.
// `@unchecked Sendable`: the tracker's lock guards the reference. The object itself is only retained, released,
// compared, and passed to the task's `@Sendable` condition.
struct WeakWrapper: @unchecked Sendable {
    private weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }

    /// This method is mutating, so that it accesses an array element in place. Copying a weak reference to an
    /// Objective-C object retains and releases the object, and the release could deallocate it while the lock is held.
    mutating func load() -> AnyObject? { object }
}
