extension NetworkIndicatorManager {
    /// The number of tasks under way. This property isn't observable.
    ///
    /// Reading this property evaluates the conditions of all tasks. If a condition reads this property, that read
    /// treats every condition as true instead of evaluating it.
    ///
    /// - Complexity: O(*n*), where *n* is the number of tasks.
    @MainActor
    public var activeTaskCount: Int {
        endTasks(examiningEvery: true)
        return entryCount
    }

    /// Whether any task is under way. This property isn't observable.
    ///
    /// Reading this property may evaluate the conditions of tasks. If a condition reads this property, that read treats
    /// every condition as true instead of evaluating it.
    ///
    /// - Complexity: O(*n*) in the worst case, where *n* is the number of tasks.
    @MainActor
    public var hasActiveTasks: Bool {
        endTasks(examiningEvery: false)
        return entryCount > 0
    }

    /// The tasks under way, sorted by ``NetworkTaskInfo/id``. This property isn't observable.
    ///
    /// Reading this property evaluates the conditions of all tasks. If a condition reads this property, that read
    /// treats every condition as true instead of evaluating it.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of tasks.
    @MainActor
    public var activeTasks: [NetworkTaskInfo] {
        endTasks(examiningEvery: true)
        let now = tracker.now
        return tracker.read(\.tasks.records).map { NetworkTaskInfo($0, asOf: now) }.sorted { $0.id < $1.id }
    }

    /// Unlike ``activeTaskCount``, this number includes tasks whose end the manager has not detected yet.
    package var entryCount: Int { tracker.read { $0.tasks.count } }

    @MainActor
    private func endTasks(examiningEvery isEvery: Bool) {
        for source in tracker.read(\.sources) { source.beginTasks() }
        var examination = tracker.change { ($0.beginExamination(ofEveryTask: isEvery), nil) }
        examine(&examination) { $0.endQuery(&$1, at: $2) }
        withExtendedLifetime(examination) {}
    }

    // MARK: Sources

    /// Calls `make` without holding the lock. If two threads create a source of the same type at the same time, one of
    /// the new sources is discarded.
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

/// Tracks work that can start without a call to the manager, such as a suspended URLSession task that the app resumes.
///
/// The manager calls the methods of this protocol without holding a lock. It may call `forgetTasks()` and
/// `configurationChanged()` on any thread.
package protocol TaskSource: AnyObject, Sendable {
    /// Begins the tasks of all work that has started. `waitUntilIdle()` and properties such as `activeTasks` call this
    /// method first.
    @MainActor func beginTasks()
    func forgetTasks()
    func configurationChanged()
}
