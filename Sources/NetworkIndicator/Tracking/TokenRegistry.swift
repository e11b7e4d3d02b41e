/// Who is alive: the tasks of a manager, and nothing of screens, clocks or threads.
///
/// A caller's object is found by its address. Addresses are reused, so a key alone proves nothing: the weak reference
/// beside it must still hold the very object.
///
/// It is used under a lock. Whatever it loads or removes it hands out, to be released after unlocking.
struct TokenRegistry {
    /// A task whose token is a caller's object.
    struct WeakTask: TableEntry, ~Copyable {
        let key: UInt64
        let token: WeakWrapper
        var info: NetworkTaskInfo

        init(_ object: AnyObject, _ info: consuming NetworkTaskInfo) {
            key = Self.key(of: object)
            token = WeakWrapper(object: object)
            self.info = info
        }

        static func key(of object: AnyObject) -> UInt64 { UInt64(UInt(bitPattern: ObjectIdentifier(object))) }
    }

    /// What was taken out of the registry, to be released after unlocking.
    enum Leftover {
        case nothing
        case token(AnyObject)
        case label(String)

        @inline(__always)
        fileprivate init(label: String?) { self = label.map { .label($0) } ?? .nothing }
    }

    private(set) var weakTasks = TaskTable<WeakTask>()
    let opaqueTasks = Slots<NetworkTaskInfo>()
    /// Where sweeping goes on.
    private var sweepCursor = 0
    /// How many weak tasks there may be before each new one has to look at older ones: an eighth and sixty-four more than
    /// were left when beginning tasks last had looked at all of them, or than there have been since. A look costs as much
    /// as two locks, and where tasks are finished there is nothing to find.
    private var sweepLimit = 64
    private var lastID: UInt64 = 0
    var counted = CountedTasks()

    var isBusy: Bool { !weakTasks.isEmpty || hasCertainTasks }
    /// Whether there is a task that needs no look at a weak reference to be known.
    var hasCertainTasks: Bool { !opaqueTasks.isEmpty || counted.count > 0 }
    var count: Int { weakTasks.count + opaqueTasks.count + counted.count }

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    // MARK: Callers' objects

    enum Begin {
        /// A new task, in this slot.
        case began(Int)
        /// A new task in the slot of a dead one: its token was allocated at the address of that one's.
        case replaced(NetworkTaskInfo, Int)
        case alreadyBegan
    }

    @inline(__always)
    mutating func begin(_ token: AnyObject, _ info: consuming NetworkTaskInfo) -> Begin {
        guard let slot = slot(of: token) else { return .began(weakTasks.insert(WeakTask(token, info))) }
        // Loads nothing or the token itself, which the caller holds: this release is never the last.
        if weakTasks[slot].token.object === token { return .alreadyBegan }
        let dead = weakTasks[slot].info
        weakTasks[slot] = WeakTask(token, info)
        return .replaced(dead, slot)
    }

    /// Where the task of this token is, or of a dead one that stood at the same address.
    @inline(__always)
    func slot(of token: AnyObject) -> Int? { weakTasks.slot(of: WeakTask.key(of: token)) }

    /// Ends the weak task in this slot.
    @inline(__always)
    mutating func endWeakTask(in slot: Int) -> Leftover {
        let leftover = Leftover(label: weakTasks[slot].info.label)
        weakTasks.remove(at: slot)
        sweepLimit = min(sweepLimit, sweepLimitNow)
        return leftover
    }

    /// Whether a new task is to look at older ones, so that dead ones do not pile up.
    var needsSweep: Bool { weakTasks.count > sweepLimit }

    private var sweepLimitNow: Int { weakTasks.count + weakTasks.count / 8 + 64 }

    /// The slot of the weak task to look at next, going round and round.
    mutating func nextToExamine() -> Int? {
        var next = weakTasks.slots.next(from: sweepCursor)
        if next == nil {
            if needsSweep { sweepLimit = sweepLimitNow }
            next = weakTasks.slots.next(from: 0)
        }
        if let next { sweepCursor = next + 1 }
        return next
    }

    // MARK: All tasks

    /// How far a pass over all tasks has come. Tasks that begin meanwhile may be missed, others are not.
    struct Pass {
        fileprivate var weakCursor = 0
        fileprivate var opaqueCursor = 0
        fileprivate(set) var isComplete = false
        /// When the oldest opaque or counted task that has not been reported as long-running began.
        fileprivate(set) var oldestUnreported: Timestamp?

        fileprivate mutating func note(_ info: NetworkTaskInfo) {
            guard !info.isReportedAsLongRunning else { return }
            oldestUnreported = oldestUnreported.map { min($0, info.beganAt) } ?? info.beganAt
        }
    }

    enum Seen {
        /// A live task, its token if that is held weakly, and whether it has just been found to run for long.
        case live(NetworkTaskInfo, AnyObject?, becameLongRunning: Bool)
        case ended(NetworkTaskInfo)
    }

    /// Looks at the next task of a pass (at all counted ones at once, in the end), and marks those that began before
    /// `limit` as reported.
    mutating func look(_ pass: inout Pass, longRunningBefore limit: Timestamp?) -> [Seen] {
        if let slot = weakTasks.slots.next(from: pass.weakCursor) {
            pass.weakCursor = slot + 1
            guard let object = weakTasks[slot].token.object else {
                let ended = weakTasks[slot].info
                _ = endWeakTask(in: slot)  // `ended` holds what it leaves
                return [.ended(ended)]
            }
            let isMarked = weakTasks[slot].info.markAsLongRunning(before: limit)
            return [.live(weakTasks[slot].info, object, becameLongRunning: isMarked)]
        }
        pass.weakCursor = .max  // not again through all the free slots behind the last one
        if let slot = opaqueTasks.next(from: pass.opaqueCursor) {
            pass.opaqueCursor = slot + 1
            let isMarked = opaqueTasks[slot].markAsLongRunning(before: limit)
            pass.note(opaqueTasks[slot])
            return [.live(opaqueTasks[slot], nil, becameLongRunning: isMarked)]
        }
        pass.isComplete = true
        return counted.look(longRunningBefore: limit).map { info, isMarked in
            pass.note(info)
            return .live(info, nil, becameLongRunning: isMarked)
        }
    }

    /// The tasks of a registry that is no longer in use, weak ones unseen.
    func forEachTask(_ body: (NetworkTaskInfo) -> Void) {
        weakTasks.slots.forEach { body($0.info) }
        opaqueTasks.forEach { body($0) }
        counted.tasks.forEach(body)
    }

    // MARK: Opaque and counted tasks

    /// What names an opaque task to those who end it.
    struct OpaqueTask: Sendable {
        let id: UInt64
        let slot: Int
    }

    @inline(__always)
    mutating func beginOpaque(_ info: consuming NetworkTaskInfo) -> OpaqueTask {
        let id = info.id
        return OpaqueTask(id: id, slot: opaqueTasks.insert(info))
    }

    /// Whether the task is one, and not over yet.
    @inline(__always)
    func isOpaqueTask(_ task: OpaqueTask) -> Bool {
        // After a reset another task may be in its slot.
        opaqueTasks.isTaken(task.slot) && opaqueTasks[task.slot].id == task.id
    }

    /// - Precondition: The task is one.
    /// - Returns: Its label.
    @inline(__always)
    mutating func end(_ task: OpaqueTask) -> String? {
        opaqueTasks.remove(at: task.slot).label
    }

    /// Forgets every task of every kind; hands them out.
    mutating func removeAll() -> TokenRegistry {
        let old = self
        self = TokenRegistry()
        lastID = old.lastID
        return old
    }
}
