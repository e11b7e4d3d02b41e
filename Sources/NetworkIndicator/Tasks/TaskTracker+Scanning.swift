/// The position of a scan of all tasks. A scan may miss only tasks that begin meanwhile.
struct TaskScan {
    /// The weak tasks at this index and after it are examined. A removal moves the last task into the gap, so a scan
    /// runs from the end to the front.
    fileprivate var weakIndex = Int.max
    fileprivate var explicitSlot = 0
    fileprivate(set) var isComplete = false
}

extension TaskTracker {
    /// The number of tasks that are examined without releasing the lock. In each turn, a sweep and a scan each
    /// examine at most one slice on the main thread. Only the timeout of a wait examines all tasks in one turn.
    private static let sliceSize = 512

    // MARK: Until a live task

    enum SweepResult {
        case foundLiveTask
        case noWeakTaskLeft
        /// The slice is complete, and there are more tasks to examine.
        case unfinished
    }

    /// Examines at most one slice of weak tasks, from where the last sweep stopped, until it finds a live one.
    ///
    /// It removes the ended tasks before the live one, so repeated sweeps come to an end.
    ///
    /// - Returns: The result, and the examined tasks, which the caller must release last.
    func sweep() -> (SweepResult, [TaskRegistry.Examined]) {
        var examined: [TaskRegistry.Examined] = []
        while true {
            let result: SweepResult = state.withLock { state in
                while examined.count < Self.sliceSize {
                    guard let next = state.examineNext() else { return .noWeakTaskLeft }
                    examined.append(next)
                    if case .live = next { return .foundLiveTask }
                }
                return .unfinished
            }
            guard case .live(let task, let token)? = examined.last, result == .foundLiveTask,
                let condition = task.condition, !condition(token)
            else { return (result, examined) }
            state.withLock { $0.finish([task]) }
        }
    }

    /// Whether there is a task. Examines weak tasks only until it finds a live one.
    func hasTasks() -> Bool {
        while state.withLock({ $0.registry.explicitTasks.isEmpty }) {
            let (result, examined) = sweep()
            withExtendedLifetime(examined) { change { _ in } }
            switch result {
            case .foundLiveTask: return true
            case .noWeakTaskLeft: return state.withLock { $0.registry.isBusy }
            case .unfinished: continue
            }
        }
        return true
    }

    // MARK: All tasks

    /// Examines the next slice of all tasks. Removes ended tasks, and reports long-running ones.
    ///
    /// - Returns: The live tasks of the slice.
    func advance(_ scan: inout TaskScan) -> [NetworkTaskInfo] {
        let now = self.now
        var next = scan
        let slice = state.withLock { $0.examineSlice(&next, at: now, atMost: Self.sliceSize) }
        scan = next
        // Conditions are callers' code, so they run outside the lock.
        let tasks = slice.weak.compactMap { examined -> (task: WeakTask, isUnderWay: Bool)? in
            guard case .live(let task, let token) = examined else { return nil }
            return (task, task.condition?(token) ?? true)
        }
        let live = tasks.filter(\.isUnderWay).map(\.task)
        withExtendedLifetime(slice) {
            change { state in
                state.finish(tasks.filter { !$0.isUnderWay }.map(\.task))
                state.reportLongRunning(live, at: now)
            }
        }
        return (live.map(\.record) + slice.explicit).map { NetworkTaskInfo($0, asOf: now) }
    }

    /// The live tasks, in the order of their begin.
    func allTasks() -> [NetworkTaskInfo] {
        var scan = TaskScan()
        // The dictionary removes duplicates: a removal can move a task to an index that the scan still visits.
        var tasks: [UInt64: NetworkTaskInfo] = [:]
        while !scan.isComplete { for task in advance(&scan) { tasks[task.id] = task } }
        return tasks.values.sorted { $0.id < $1.id }
    }

    /// Removes ended tasks, and counts the others.
    func countTasks() -> Int {
        var scan = TaskScan()
        while !scan.isComplete { _ = advance(&scan) }
        return state.withLock { $0.registry.count }
    }
}

extension TaskTracker.State {
    /// Examines the next weak task, and records its end if its token was deallocated.
    mutating func examineNext() -> TaskRegistry.Examined? { registry.examineNext().map { recordingEnd($0) } }

    private mutating func recordingEnd(_ examined: TaskRegistry.Examined) -> TaskRegistry.Examined {
        if case .ended(let task) = examined { events.append(.ended(NetworkTaskInfo(task.record), .deallocated)) }
        return examined
    }

    /// Ends tasks whose condition is false. The caller holds them, so nothing is released here.
    fileprivate mutating func finish(_ tasks: [WeakTask]) {
        for task in tasks where registry.remove(task) {
            events.append(.ended(NetworkTaskInfo(task.record), .finished))
        }
    }

    fileprivate mutating func reportLongRunning(_ tasks: [WeakTask], at now: Timestamp) {
        let limit = longRunningLimit(at: now)
        for task in tasks where registry.markAsLongRunning(task, beganBefore: limit) {
            events.append(.stillRunning(NetworkTaskInfo(task.record, asOf: now)))
        }
    }

    private func longRunningLimit(at now: Timestamp) -> Timestamp? {
        events.isMonitored ? configuration.longRunningTaskThreshold.map { now - $0 } : nil
    }

    fileprivate mutating func examineSlice(
        _ scan: inout TaskScan, at now: Timestamp, atMost size: Int
    ) -> (weak: [TaskRegistry.Examined], explicit: [TaskRecord]) {
        var weak: [TaskRegistry.Examined] = []
        scan.weakIndex = min(scan.weakIndex, registry.weakCount)
        while weak.count < size, scan.weakIndex > 0 {
            scan.weakIndex -= 1
            weak.append(recordingEnd(registry.examine(at: scan.weakIndex)))
        }
        var explicit: [TaskRecord] = []
        let limit = longRunningLimit(at: now)
        let end = min(registry.explicitTasks.slotCount, scan.explicitSlot + size - weak.count)
        while scan.explicitSlot < end {
            let examined = registry.explicitTasks.examine(slot: scan.explicitSlot, longRunningLimit: limit)
            scan.explicitSlot += 1
            guard let (record, isMarkedNow) = examined else { continue }
            explicit.append(record)
            if isMarkedNow { events.append(.stillRunning(NetworkTaskInfo(record, asOf: now))) }
        }
        scan.isComplete = scan.weakIndex == 0 && scan.explicitSlot >= registry.explicitTasks.slotCount
        return (weak, explicit)
    }
}
