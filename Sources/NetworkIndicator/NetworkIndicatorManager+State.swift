extension NetworkIndicatorManager {
    // MARK: Tasks

    /// The number of tasks of every kind.
    ///
    /// Examines every task first, in slices, which takes O(n). The number may include tasks that end meanwhile. Calls
    /// conditions, except when a condition reads it. Not observable. Any thread.
    public var activeTaskCount: Int {
        examineEveryTask { _ in }
        return entryCount
    }

    /// Whether there is any task.
    ///
    /// Examines tasks only until it finds a live one. Calls conditions. Not observable. Any thread.
    public var hasActiveTasks: Bool {
        refreshSources()
        var sweep = Sweep(.anyLiveTask)
        while !sweep.isComplete, tracker.read({ $0.tasks.explicitTasks.isEmpty && !$0.tasks.isEmpty }) {
            if examine(&sweep).hasLiveTask { return true }
        }
        return entryCount > 0
    }

    /// The tasks that keep the indicator on, oldest first.
    ///
    /// Examines every task first, in slices, and sorts them: O(n log n). Calls conditions. Any thread.
    public var activeTasks: [NetworkTaskInfo] {
        // The dictionary removes duplicates: a removal can move a task to an index that the sweep still visits.
        var tasks: [UInt64: NetworkTaskInfo] = [:]
        examineEveryTask { slice in
            let now = tracker.now
            for record in slice.liveRecords { tasks[record.id] = NetworkTaskInfo(record, asOf: now) }
        }
        return tasks.values.sorted { $0.id < $1.id }
    }

    /// Examines every task on the caller's thread, which ends the tasks that are over.
    private func examineEveryTask(_ body: (Sweep.Slice) -> Void) {
        refreshSources()
        var sweep = Sweep(.everyTask)
        while !sweep.isComplete { body(examine(&sweep)) }
    }

    private func examine(_ sweep: inout Sweep) -> Sweep.Slice {
        var slice = tracker.change { (sweep.load(&$0.tasks), nil) }
        slice.examine()
        let now = tracker.now
        tracker.change { $0.commit(&slice, at: now) }
        return slice
    }

    /// The number of stored tasks, including those whose end is not detected yet.
    package var entryCount: Int { tracker.read { $0.tasks.count } }

    // MARK: Sources

    /// Returns the manager's source of a type, which the manager holds. The first call creates it. Any thread.
    ///
    /// - Parameter make: Creates the source. It receives the manager's scheduler.
    package func source<Source: TaskSource>(_ make: (any ActivityScheduler) -> Source) -> Source {
        func existing(_ state: ActivityState) -> Source? { state.sources.lazy.compactMap { $0 as? Source }.first }
        if let source = tracker.read(existing) { return source }
        let new = make(tracker.scheduler)
        return tracker.change { state in
            if let source = existing(state) { return (source, nil) }
            state.sources.append(new)
            return (new, nil)
        }
    }

    /// Begins tasks that are under way but not tracked yet.
    private func refreshSources() {
        for source in tracker.read(\.sources) { source.beginTasks() }
    }

    // MARK: Settings

    /// When the indicator goes on and off. A change takes effect on the main thread's next turn, for running timers
    /// too. Any thread.
    ///
    /// Reading, changing and writing it is not atomic. To change it atomically, use ``updateConfiguration(_:)``.
    public var configuration: Configuration {
        get { tracker.read(\.configuration) }
        set { updateConfiguration { $0 = newValue } }
    }

    /// Changes the configuration atomically. Any thread.
    ///
    /// - Parameter change: Changes the configuration. It runs outside every lock. If another thread has changed the
    ///   configuration meanwhile, it runs again.
    public func updateConfiguration(_ change: (inout Configuration) -> Void) {
        while true {
            let old = configuration
            var new = old
            change(&new)
            let now = tracker.now
            guard tracker.change({ $0.replace(old, with: new, at: now) }) else { continue }
            for source in tracker.read(\.sources) { source.configurationChanged() }
            return
        }
    }

    /// ``Configuration/completionCheckInterval`` of the ``configuration``. Setting it is atomic. Any thread.
    public var completionCheckInterval: Duration {
        get { configuration.completionCheckInterval }
        set { updateConfiguration { $0.completionCheckInterval = newValue } }
    }
}

/// A source of tasks that can begin without a call of the manager, such as URLSession tasks that are not resumed yet.
package protocol TaskSource: AnyObject, Sendable {
    /// Begins the tasks that are under way. Queries call this first, on their thread, outside every lock.
    func beginTasks()

    /// Forgets the tasks, because the manager is reset. Any thread, outside every lock.
    func forgetTasks()

    /// The manager has another configuration. Any thread, outside every lock.
    func configurationChanged()
}
