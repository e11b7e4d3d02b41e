extension NetworkIndicatorManager {
    /// The number of ``activeTasks``, which evaluates conditions in the same way. This property isn't observable.
    ///
    /// - Complexity: O(*n*), where *n* is the number of tasks.
    @MainActor
    public var activeTaskCount: Int { tracker.liveRecords().count }

    /// The tasks under way, sorted by ``NetworkTaskInfo/id``. This property isn't observable.
    ///
    /// Reading this property evaluates the conditions of all tasks, and ends no task. If a condition reads this
    /// property, that read treats every condition as true instead of evaluating it. The value doesn't include tasks
    /// that conditions begin.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of tasks.
    @MainActor
    public var activeTasks: [NetworkTaskInfo] { tracker.activeTasks }

    /// Unlike ``activeTaskCount``, this number includes tasks whose end the manager has not detected yet.
    package var entryCount: Int { tracker.read { $0.tasks.records.count } }

    // MARK: Sources

    /// Calls `make` while the lock is held, so that a manager has one source of each type.
    package func source<Source: TaskSource>(_ make: (any ActivityScheduler) -> Source) -> Source {
        tracker.change { state in
            if let source = state.sources.lazy.compactMap({ $0 as? Source }).first { return (source, nil) }
            let new = make(tracker.scheduler)
            state.sources.append(new)
            return (new, nil)
        }
    }
}

/// Tracks work that can start without a call to the manager, such as a suspended URLSession task that the app resumes.
///
/// The manager calls the methods of this protocol without holding a lock, and on any thread unless a method is isolated
/// to the main actor.
package protocol TaskSource: AnyObject, Sendable {
    /// Begins the tasks of all work that has started. Properties such as `activeTasks`, and the turn that
    /// `waitUntilIdle()` requests, call this method first.
    @MainActor func beginTasks()
    func forgetTasks()
    func configurationChanged()
}
