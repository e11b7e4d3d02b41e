extension NetworkIndicatorManager {
    /// Returns when no task is left, the indicator is off, and monitors have received every event.
    ///
    /// It doesn't return while any token is alive, so release or finish your own before you wait. While a caller waits,
    /// the manager polls every 100 ms, or at ``Configuration/completionCheckInterval`` if that is shorter. A monitor
    /// must not call it, because the call would wait for the monitor.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    public func waitUntilIdle() async throws { try await wait(timeout: nil) }

    /// Returns when no task is left, the indicator is off, and monitors have received every event. Throws at the
    /// timeout.
    ///
    /// ```swift
    /// try await manager.waitUntilIdle(timeout: .seconds(10))
    /// ```
    ///
    /// - Parameter timeout: The limit, measured on the clock of the manager's scheduler; zero to 100 years. A blocked
    ///   main thread delays it.
    /// - Complexity: At the timeout, O(*n* log *n*) on the main thread, where *n* is the number of tasks.
    /// - Throws: ``NetworkBusyError`` at the timeout; `CancellationError` when the calling task is cancelled.
    public func waitUntilIdle(timeout: Duration) async throws {
        try await wait(timeout: timeout.clamped(to: .zero ... .longest))
    }

    private func wait(timeout: Duration?) async throws {
        try Task.checkCancellation()
        let deadline = timeout.map { tracker.now + $0 }
        _ = tracker.countTasks()
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Never.self)
        let (id, actions) = tracker.state.withLock { state in
            let id = state.waiters.add(continuation, deadline: deadline)
            // A reconcile sets the timer for the deadline.
            return (id, state.takeDeferredActions(requestsReconcile: deadline != nil))
        }
        tracker.perform(actions)
        defer {
            let released = tracker.state.withLock { $0.waiters.remove(id: id) }
            withExtendedLifetime(released) { if deadline != nil { tracker.requestReconcile() } }
        }
        for try await _ in stream {}
        try Task.checkCancellation()
    }
}
