extension TrackedRetryPolicy {
    /// The shortest offline wait. Without it, a monitor that returns at once would cause a busy loop.
    private static let minimum: Duration = .milliseconds(100)

    /// Waits for `limit`, or until the monitor reports a change, whichever comes first.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func waitForConnectivity(atMost limit: Duration) async throws {
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        // Child tasks would delay the return of this method, because a caller's monitor may not return when its task is
        // cancelled. So these tasks are unstructured.
        let timer = Task {
            try await timing.sleep(limit)
            continuation.yield()
        }
        let wake = Task {
            let start = timing.now()
            await connectivityMonitor.waitForChange()
            try await timing.sleep(max(.zero, Self.minimum - (timing.now() - start)))
            continuation.yield()
        }
        defer {
            timer.cancel()
            wake.cancel()
        }
        for await _ in ends { break }
        try Task.checkCancellation()
    }
}
