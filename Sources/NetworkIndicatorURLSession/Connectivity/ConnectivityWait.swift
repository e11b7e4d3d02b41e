/// A wait that ends with the time or with the monitor's word, whichever comes first.
struct ConnectivityWait {
    let monitor: any ConnectivityMonitor
    let timing: RetryTiming

    /// The shortest wait, so that a monitor that returns at once makes no busy loop.
    private static let minimum: Duration = .milliseconds(100)

    /// - Parameter limit: When to stop waiting.
    /// - Throws: `CancellationError`, at once, when the task is cancelled.
    func run(atMost limit: Duration) async throws {
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        // Not child tasks: those would be waited for, and a foreign monitor may not return when it is cancelled.
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
