/// An examination of tasks, in slices. It is the position of the next slice.
///
/// It runs from the end to the front. A removal moves the last task into the gap. The sweep has already visited that
/// task, so it visits every task except those that begin while it runs.
struct Sweep: Sendable {
    enum Goal {
        /// Find out whether there is a live task. A slice ends at the first live task.
        case anyLiveTask
        case everyTask
    }

    /// The maximum number of tasks that are loaded without releasing the lock.
    static let sliceSize = 512

    /// Whether this thread is calling a condition. Queries in a condition don't call conditions, which would recur
    /// without end. A task that a condition creates inherits the lock, and may outlive the call.
    @TaskLocal private static var isCallingCondition = Lock(false)

    let goal: Goal
    /// The weak task that was loaded last. An examination of every task has visited it and the tasks after it.
    private var weakIndex = Int.max
    private var explicitSlot = 0
    /// Whether every slice has been loaded, in an examination of every task.
    private(set) var isComplete = false

    init(_ goal: Goal) { self.goal = goal }

    /// A weak task and its token, which the slice holds.
    struct Loaded {
        let handle: WeakTask.Handle
        let condition: TaskCondition?
        let token: AnyObject?
        /// `nil` for the goal `anyLiveTask`.
        let record: TaskRecord?
        /// Whether the token is alive and the condition is true; `nil` if the condition has not been called.
        var isLive: Bool?

        /// Calls the condition, if there is one.
        fileprivate mutating func examine() {
            guard let token else { return }
            isLive =
                condition.map { condition in
                    if isCallingCondition.withLock({ $0 }) { return true }
                    let isCalling = Lock(true)
                    defer { isCalling.withLock { $0 = false } }
                    return $isCallingCondition.withValue(isCalling) { condition(token) }
                } ?? true
        }
    }

    /// Loaded tasks. Release a slice outside the lock, because that may deallocate tokens.
    struct Slice {
        var weak: [Loaded] = []
        fileprivate(set) var explicit: [(slot: Int, record: TaskRecord)] = []
        /// The tasks that a commit has removed, to be released after unlocking.
        var removed: [WeakTask] = []

        var hasLiveTask: Bool { !explicit.isEmpty || weak.contains { $0.isLive == true } }

        /// The records of the live tasks. Empty for the goal `anyLiveTask`.
        var liveRecords: [TaskRecord] {
            weak.compactMap { $0.isLive == true ? $0.record : nil } + explicit.map(\.record)
        }

        /// Calls the conditions of the tasks, outside every lock. For the goal `anyLiveTask`, stops at a live task.
        mutating func examine(for goal: Goal) {
            for index in weak.indices {
                weak[index].examine()
                if goal == .anyLiveTask, weak[index].isLive == true { return }
            }
        }
    }

    /// Loads the next slice.
    mutating func load(_ tasks: inout TaskRegistry) -> Slice {
        switch goal {
        case .anyLiveTask: loadUpToLiveTask(&tasks)
        case .everyTask: loadNext(&tasks)
        }
    }

    /// Loads tasks until one is certainly live. After the first task of the registry, it continues with the last one.
    private mutating func loadUpToLiveTask(_ tasks: inout TaskRegistry) -> Slice {
        var slice = Slice()
        while slice.weak.count < min(Self.sliceSize, tasks.weakCount) {
            if weakIndex == 0 { weakIndex = tasks.weakCount }
            weakIndex = min(weakIndex, tasks.weakCount) - 1
            let loaded = tasks.load(at: weakIndex, withRecord: false)
            slice.weak.append(loaded)
            if loaded.token != nil, loaded.condition == nil { break }
        }
        return slice
    }

    private mutating func loadNext(_ tasks: inout TaskRegistry) -> Slice {
        var slice = Slice()
        weakIndex = min(weakIndex, tasks.weakCount)
        while slice.weak.count < Self.sliceSize, weakIndex > 0 {
            weakIndex -= 1
            slice.weak.append(tasks.load(at: weakIndex, withRecord: true))
        }
        let end = min(tasks.explicitTasks.slotCount, explicitSlot + Self.sliceSize - slice.weak.count)
        while explicitSlot < end {
            if let record = tasks.explicitTasks.record(slot: explicitSlot) {
                slice.explicit.append((explicitSlot, record))
            }
            explicitSlot += 1
        }
        isComplete = weakIndex == 0 && explicitSlot >= tasks.explicitTasks.slotCount
        return slice
    }
}
