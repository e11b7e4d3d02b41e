/// An examination of tasks in slices. The value stores the position of the next slice.
///
/// A sweep visits weak tasks from the last to the first. A removal moves the last task into the gap. The sweep has
/// already visited that task, so it visits every task except those that begin while it runs.
struct Sweep: Sendable {
    enum Goal {
        /// Find out whether there is a live task. A slice ends at the first live task, and contains no explicit tasks.
        case anyLiveTask
        case everyTask
    }

    /// The maximum number of tasks that are loaded without releasing the lock.
    static let sliceSize = 512

    /// Whether this thread is calling a condition. Queries in a condition don't call conditions, because that would
    /// recurse without end. A Swift task that a condition creates inherits the lock and may outlive the call, so the
    /// call sets the value back to `false`.
    @TaskLocal private static var isCallingCondition = Lock(false)

    let goal: Goal
    /// Whether the sweep has visited every task, or the first one if it continues in a circle.
    private(set) var isComplete = false
    /// The weak task that was loaded last. The sweep has visited it and the tasks after it.
    private var weakIndex = Int.max
    private var explicitSlot = 0

    init(_ goal: Goal) { self.goal = goal }

    /// Loads the next slice.
    mutating func load(_ tasks: inout TaskRegistry) -> Slice {
        var slice = Slice(goal: goal, lastID: tasks.lastID)
        weakIndex = min(weakIndex, tasks.weakCount)
        while slice.weak.count < min(Self.sliceSize, tasks.weakCount) {
            if weakIndex == 0 {
                // A poll continues in a circle: if no task is live, where the previous poll ended makes no difference.
                guard goal == .anyLiveTask else { break }
                isComplete = true
                weakIndex = tasks.weakCount
            }
            weakIndex -= 1
            let loaded = tasks.load(at: weakIndex, withRecord: goal == .everyTask)
            slice.weak.append(loaded)
            if goal == .anyLiveTask, loaded.token != nil, loaded.condition == nil { break }
        }
        let slotCount = goal == .everyTask ? tasks.explicitTasks.slotCount : 0
        let end = min(slotCount, explicitSlot + Self.sliceSize - slice.weak.count)
        while explicitSlot < end {
            if let task = tasks.explicitTasks.task(inSlot: explicitSlot) { slice.explicit.append(task) }
            explicitSlot += 1
        }
        isComplete = isComplete || weakIndex == 0 && explicitSlot >= slotCount
        return slice
    }

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
            guard let condition, !isCallingCondition.withLock({ $0 }) else {
                isLive = true
                return
            }
            let isCalling = Lock(true)
            defer { isCalling.withLock { $0 = false } }
            isLive = $isCallingCondition.withValue(isCalling) { condition(token) }
        }
    }

    /// Loaded tasks. Release a slice outside the lock, because that may deallocate tokens.
    struct Slice {
        fileprivate let goal: Goal
        /// The identifier of the latest begin before the slice was loaded.
        let lastID: UInt64
        fileprivate(set) var weak: [Loaded] = []
        fileprivate(set) var explicit: [(handle: ExplicitTasks.Handle, record: TaskRecord)] = []
        /// Whether a task has begun since the slice was loaded. Such a task is live.
        var hasBegin = false
        /// The tasks that a commit has removed, to be released after unlocking.
        var removed: [WeakTask] = []

        var hasLiveTask: Bool { !explicit.isEmpty || weak.contains { $0.isLive == true } }
        /// Whether a task was live when the slice was examined, even if it has ended since.
        var showsLiveTask: Bool { hasBegin || hasLiveTask }

        /// The records of the live tasks. Empty for the goal `anyLiveTask`.
        var liveRecords: [TaskRecord] {
            weak.compactMap { $0.isLive == true ? $0.record : nil } + explicit.map(\.record)
        }

        /// Calls the conditions of the tasks, outside every lock. For the goal `anyLiveTask`, stops at a live task.
        mutating func examine() {
            for index in weak.indices {
                weak[index].examine()
                if goal == .anyLiveTask, weak[index].isLive == true { return }
            }
        }
    }
}
