import Observation

extension NetworkIndicatorManager {
    // MARK: Tasks

    /// The number of tasks of every kind.
    ///
    /// Examines every task first, in slices, which takes O(n). The number may include tasks that end meanwhile. Calls
    /// conditions. Not observable. Any thread.
    public var activeTaskCount: Int { tracker.countTasks() }

    /// Whether there is any task.
    ///
    /// Examines tasks only until it finds a live one. Calls conditions. Not observable. Any thread.
    public var hasActiveTasks: Bool { tracker.hasTasks() }

    /// The tasks that keep the indicator on, oldest first.
    ///
    /// Examines every task first, in slices, and sorts them: O(n log n). Calls conditions. Any thread.
    public var activeTasks: [NetworkTaskInfo] { tracker.allTasks() }

    /// The number of stored tasks, including those whose end is not detected yet.
    package var entryCount: Int { tracker.state.withLock { $0.registry.count } }

    // MARK: Settings

    /// Whether the indicator may be shown. Default `true`. Observable. Any thread.
    ///
    /// `false` hides the indicator on the main thread's next turn; tasks remain tracked. `true` shows it on the next
    /// turn if the network has been in use for ``Configuration/showDelay``.
    public var isEnabled: Bool {
        get {
            registrar.access(self, keyPath: \.isEnabled)
            return tracker.state.withLock { $0.isEnabled }
        }
        set {
            registrar.withMutation(of: self, keyPath: \.isEnabled) {
                tracker.state.withLock { $0.isEnabled = newValue }
            }
            tracker.requestReconcile()
        }
    }

    /// When the indicator goes on and off. A change takes effect on the main thread's next turn, for running timers
    /// too. Any thread.
    ///
    /// Reading, changing and writing it is not atomic. To change it atomically, use ``updateConfiguration(_:)``.
    public var configuration: Configuration {
        get { tracker.state.withLock { $0.configuration } }
        set { updateConfiguration { $0 = newValue } }
    }

    /// Changes the configuration atomically. Any thread.
    ///
    /// - Parameter change: Changes the configuration. It runs outside every lock. If another thread has changed the
    ///   configuration meanwhile, it runs again.
    public func updateConfiguration(_ change: (inout Configuration) -> Void) {
        var isChanged = false
        while !isChanged {
            let old = configuration
            var new = old
            change(&new)
            let now = tracker.now
            isChanged = tracker.state.withLock { state in
                guard state.configuration == old else { return false }
                // A longer hide delay must not continue a busy period that has already ended.
                state.busyPeriod.endIfIdle(at: now, hideDelay: old.hideDelay)
                state.configuration = new
                return true
            }
        }
        tracker.requestReconcile()
    }

    /// ``Configuration/completionCheckInterval`` of the ``configuration``. Setting it is atomic. Any thread.
    public var completionCheckInterval: Duration {
        get { configuration.completionCheckInterval }
        set { updateConfiguration { $0.completionCheckInterval = newValue } }
    }
}
