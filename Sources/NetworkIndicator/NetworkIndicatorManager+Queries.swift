extension NetworkIndicatorManager {
    /// The number of tasks of every kind.
    ///
    /// Examines every task first and calls conditions, except when a condition reads it. The number may include tasks
    /// that end meanwhile. Not observable.
    ///
    /// - Complexity: O(*n*), where *n* is the number of tasks.
    @MainActor
    public var activeTaskCount: Int {
        endTasks(examiningEvery: true)
        return entryCount
    }

    /// Whether there is any task.
    ///
    /// Examines tasks until it finds a live one, and calls their conditions, except when a condition reads it. Not
    /// observable.
    @MainActor
    public var hasActiveTasks: Bool {
        endTasks(examiningEvery: false)
        return entryCount > 0
    }

    /// The tasks that keep the indicator on, oldest first.
    ///
    /// Examines every task first and calls conditions, except when a condition reads it. Not observable.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of tasks.
    @MainActor
    public var activeTasks: [NetworkTaskInfo] {
        endTasks(examiningEvery: true)
        let now = tracker.now
        return tracker.read(\.tasks.records).map { NetworkTaskInfo($0, asOf: now) }.sorted { $0.id < $1.id }
    }

    /// The number of stored tasks, including those whose end is not detected yet. Any thread.
    package var entryCount: Int { tracker.read { $0.tasks.count } }

    /// Ends the tasks that are over.
    @MainActor
    private func endTasks(examiningEvery isEvery: Bool) {
        for source in tracker.read(\.sources) { source.beginTasks() }
        var examination = tracker.change { ($0.beginExamination(ofEveryTask: isEvery), nil) }
        examine(&examination) { $0.endQuery(&$1, at: $2) }
        withExtendedLifetime(examination) {}
    }

    // MARK: Sources

    /// Returns the manager's source of a type, which the manager holds. The first call creates it. Any thread.
    ///
    /// - Parameter make: Creates the source. It receives the manager's scheduler.
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

/// A source of tasks that can begin without a call of the manager, such as URLSession tasks that are not resumed yet.
package protocol TaskSource: AnyObject, Sendable {
    /// Begins the tasks that are under way. Queries and waiters call this first, outside every lock.
    @MainActor func beginTasks()

    /// Forgets the tasks, because the manager is reset. Any thread, outside every lock.
    func forgetTasks()

    /// The manager has another configuration. Any thread, outside every lock.
    func configurationChanged()
}
