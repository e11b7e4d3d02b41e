/// A wait that ends after a time or at the monitor's report, whichever comes first.
struct ConnectivityWait {
    let monitor: any ConnectivityMonitor
    let timing: RetryTiming

    /// The shortest wait. Without it, a monitor that returns at once would cause a busy loop.
    private static let minimum: Duration = .milliseconds(100)

    /// - Parameter limit: The longest wait.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func run(atMost limit: Duration) async throws {
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        // These are not child tasks. The call would wait for child tasks, and a caller's monitor may not return when it
        // is cancelled.
        let timer = Task {
            try await timing.sleep(limit)
            continuation.yield()
        }
        let wake = Task {
            let start = timing.now()
            await monitor.waitForChange()
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
