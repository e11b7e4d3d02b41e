extension NetworkIndicatorManager {
    /// The tasks that keep the indicator on, in no particular order.
    ///
    /// Of the activity count there is one for all increments made while no monitor was attached: the one that raised it
    /// from zero. Looks at every token first. Any thread; O(n), the lock being taken in slices.
    public var activeTasks: [NetworkTaskInfo] { tracker.allTasks() }

    /// How many tasks are on the books, tokens that are gone and not yet swept included.
    package var entryCount: Int { tracker.state.withLock { $0.registry.count } }

    /// How many calls of ``waitUntilIdle()`` are waiting.
    package var waiterCount: Int { tracker.state.withLock { $0.waiters.count } }

    /// How many indicators and streams are told of the indicator.
    package var listenerCount: Int { tracker.state.withLock { $0.outputs.count } }

    /// Attaches a monitor, which hears of every event from now on and is held strongly until it is detached.
    ///
    /// While there is a monitor, every poll looks at every token, so that ends are reported within one interval, and
    /// tasks that have been running for longer than ``Configuration/longRunningTaskThreshold`` are reported once. Any
    /// thread.
    ///
    /// - Parameter monitor: Who is to hear.
    /// - Returns: What to detach it with. Dropping it detaches nothing.
    @discardableResult
    public func addMonitor(_ monitor: any NetworkTaskMonitor) -> MonitorAttachment {
        let attachment = MonitorAttachment(monitor, tracker: tracker)
        tracker.state.withLock { $0.events.attach(attachment) }
        tracker.requestReconcile()
        return attachment
    }
}

extension TaskTracker {
    func detach(_ monitor: MonitorAttachment) {
        let released = state.withLock { $0.events.detach(monitor) }
        withExtendedLifetime(released) {}
    }
}
