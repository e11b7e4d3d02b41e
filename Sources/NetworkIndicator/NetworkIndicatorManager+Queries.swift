extension NetworkIndicatorManager {
    /// The number of tasks of every kind.
    ///
    /// Reading this property examines every task and evaluates the conditions. The number may include tasks that end
    /// during the examination. If a condition reads this property, the manager doesn't evaluate conditions, and counts
    /// every task whose object is alive. This property isn't observable.
    ///
    /// - Complexity: O(*n*), where *n* is the number of tasks.
    @MainActor
    public var activeTaskCount: Int {
        endTasks(examiningEvery: true)
        return entryCount
    }

    /// Whether any task is under way.
    ///
    /// Reading this property examines tasks and evaluates their conditions, until the manager finds a live task. If a
    /// condition reads this property, the manager doesn't evaluate conditions. This property isn't observable.
    ///
    /// - Complexity: O(*n*) in the worst case, where *n* is the number of tasks.
    @MainActor
    public var hasActiveTasks: Bool {
        endTasks(examiningEvery: false)
        return entryCount > 0
    }

    /// The tasks that keep the indicator on, oldest first.
    ///
    /// Reading this property examines every task and evaluates the conditions. If a condition reads this property, the
    /// manager doesn't evaluate conditions, and the property includes every task whose object is alive. This property
    /// isn't observable.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of tasks.
    @MainActor
    public var activeTasks: [NetworkTaskInfo] {
        endTasks(examiningEvery: true)
        let now = tracker.now
        return tracker.read(\.tasks.records).map { NetworkTaskInfo($0, asOf: now) }.sorted { $0.id < $1.id }
    }

    /// The number of stored tasks, including tasks whose end the manager has not detected yet. This property is
    /// thread-safe.
    package var entryCount: Int { tracker.read { $0.tasks.count } }

    /// Examines tasks, and removes those that have ended.
    @MainActor
    private func endTasks(examiningEvery isEvery: Bool) {
        for source in tracker.read(\.sources) { source.beginTasks() }
        var examination = tracker.change { ($0.beginExamination(ofEveryTask: isEvery), nil) }
        examine(&examination) { $0.endQuery(&$1, at: $2) }
        withExtendedLifetime(examination) {}
    }

    // MARK: Sources

    /// Returns the manager's source of type `Source`. The first call creates the source, and the manager retains it.
    /// This method is thread-safe.
    ///
    /// - Parameter make: A closure that creates a source with the manager's scheduler. If two threads call this method
    ///   at the same time, one of the new sources is discarded.
    package func source<Source: TaskSource>(_ make: (any ActivityScheduler) -> Source) -> Source {
        func existing(_ state: ManagerState) -> Source? { state.sources.lazy.compactMap { $0 as? Source }.first }
        if let source = tracker.read(existing) { return source }
        let new = make(tracker.scheduler)
        return tracker.change { state in
            if let source = existing(state) { return (source, nil) }
            state.sources.append(new)
            return (new, nil)
        }
    }
}

/// A source of tasks that can begin without a call to the manager, such as URLSession tasks that are not resumed yet.
package protocol TaskSource: AnyObject, Sendable {
    /// Begins a task for each piece of work that is under way. Queries and waiters call this method first, without
    /// holding a lock.
    @MainActor func beginTasks()

    /// Forgets the tasks. The manager calls this method on any thread and without holding a lock, when the manager is
    /// reset.
    func forgetTasks()

    /// Responds to a change of the manager's configuration. The manager calls this method on any thread and without
    /// holding a lock.
    func configurationChanged()
}
