extension TrackedRetryPolicy {
    /// The shortest offline wait. Without it, a monitor that returns at once would cause a busy loop.
    private static let minimum: Duration = .milliseconds(100)

    /// Waits until a time has passed or the monitor reports a change, whichever comes first.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func waitForConnectivity(atMost limit: Duration) async throws {
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        // These are not child tasks. The call would wait for child tasks, and a caller's monitor may not return when it
        // is cancelled.
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
