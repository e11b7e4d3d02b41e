/// Who is alive: the tasks of a manager, and nothing of screens, clocks or threads.
///
/// A caller's object is found by its address. Addresses are reused, so a key alone proves nothing: the weak reference
/// beside it must still hold the very object.
///
/// It is used under a lock. Whatever it loads or removes it hands out, to be released after unlocking.
struct TokenRegistry {
    /// A task whose token is a caller's object.
    struct WeakTask: TableEntry {
        let key: UInt64
        let token: WeakWrapper
        var info: NetworkTaskInfo

        init(_ object: AnyObject, _ info: NetworkTaskInfo, _ id: UInt64) {
            key = Self.key(of: object)
            token = WeakWrapper(object)
            self.info = info
            self.info.id = id
        }

        static func key(of object: AnyObject) -> UInt64 { UInt64(UInt(bitPattern: ObjectIdentifier(object))) }
    }

    /// What a look at one weak task found.
    enum Examined {
        case alive(AnyObject)
        /// The token was gone, and so is the task now.
        case ended(NetworkTaskInfo)
        case nothing
    }

    private(set) var weakTasks = TaskTable<WeakTask>()
    private(set) var opaqueTasks = TaskTable<NetworkTaskInfo>()
    private(set) var counted = CountedTasks()
    private var sweepCursor = TaskTable<WeakTask>.Cursor()
    private var lastID: UInt64 = 0

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
        /// A new task.
        case began(UInt64)
        /// A new task in the place of a dead one: its token was allocated at the address of that one's.
        case replaced(NetworkTaskInfo, UInt64)
        case alreadyBegan
    }

    @inline(__always)
    mutating func begin(_ token: AnyObject, _ info: NetworkTaskInfo) -> Begin {
        let position = weakTasks.position(of: WeakTask.key(of: token))
        // Loads nothing or the token itself, which the caller holds: this release is never the last.
        if let position, weakTasks[position].token.object === token { return .alreadyBegan }
        let id = makeID()
        guard let position else {
            weakTasks.insert(WeakTask(token, info, id))
            return .began(id)
        }
        let dead = weakTasks[position].info
        weakTasks[position] = WeakTask(token, info, id)
        return .replaced(dead, id)
    }

    /// Ends the task of this token, and hands it out.
    @inline(__always)
    mutating func finish(_ token: AnyObject) -> WeakTask? {
        weakTasks.position(of: WeakTask.key(of: token)).map { weakTasks.remove(at: $0) }
    }

    /// Looks at the next weak task, going round and round.
    mutating func examineNext() -> Examined {
        guard !weakTasks.isEmpty else { return .nothing }
        if let position = weakTasks.next(&sweepCursor) { return examine(position) }
        sweepCursor = .init()
        return weakTasks.next(&sweepCursor).map { examine($0) } ?? .nothing
    }

    private mutating func examine(_ position: TaskTable<WeakTask>.Position) -> Examined {
        if let object = weakTasks[position].token.object { return .alive(object) }
        return .ended(weakTasks.remove(at: position).info)
    }

    // MARK: All tasks

    /// How far a pass over all tasks has come. Tasks that begin meanwhile may be missed, others are not.
    struct Pass {
        fileprivate var weak = TaskTable<WeakTask>.Cursor()
        fileprivate var opaque = TaskTable<NetworkTaskInfo>.Cursor()
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
        if let position = weakTasks.next(&pass.weak) {
            guard let object = weakTasks[position].token.object else {
                return [.ended(weakTasks.remove(at: position).info)]
            }
            let isMarked = weakTasks[position].info.markAsLongRunning(before: limit)
            return [.live(weakTasks[position].info, object, becameLongRunning: isMarked)]
        }
        if let position = opaqueTasks.next(&pass.opaque) {
            let isMarked = opaqueTasks[position].markAsLongRunning(before: limit)
            pass.note(opaqueTasks[position])
            return [.live(opaqueTasks[position], nil, becameLongRunning: isMarked)]
        }
        pass.isComplete = true
        return counted.look(longRunningBefore: limit).map { info, isMarked in
            pass.note(info)
            return .live(info, nil, becameLongRunning: isMarked)
        }
    }

    /// The tasks of a registry that is no longer in use, weak ones unseen.
    func forEachTask(_ body: (NetworkTaskInfo) -> Void) {
        var weak = TaskTable<WeakTask>.Cursor()
        while let position = weakTasks.next(&weak) { body(weakTasks[position].info) }
        var opaque = TaskTable<NetworkTaskInfo>.Cursor()
        while let position = opaqueTasks.next(&opaque) { body(opaqueTasks[position]) }
        counted.tasks.forEach(body)
    }

    // MARK: Opaque and counted tasks

    mutating func beginOpaque(_ info: NetworkTaskInfo) -> UInt64 {
        let id = makeID()
        opaqueTasks.insert(info.numbered(id))
        return id
    }

    mutating func finishOpaque(_ id: UInt64) -> NetworkTaskInfo? {
        opaqueTasks.position(of: id).map { opaqueTasks.remove(at: $0) }
    }

    mutating func increment(_ info: NetworkTaskInfo?, isRecording: Bool) {
        counted.increment(info, isRecording: isRecording)
    }

    mutating func decrement() -> NetworkTaskInfo? { counted.decrement() }

    /// Forgets every task of every kind; hands them out.
    mutating func removeAll() -> TokenRegistry {
        let old = self
        self = TokenRegistry()
        lastID = old.lastID
        return old
    }
}

extension NetworkTaskInfo: TableEntry {
    var key: UInt64 { id }
}
