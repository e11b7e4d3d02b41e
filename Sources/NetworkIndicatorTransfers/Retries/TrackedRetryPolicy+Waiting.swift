extension TrackedRetryPolicy {
    /// Without this minimum, a monitor whose `waitForChange()` returns immediately would cause attempts without pauses.
    private static let minimum: Duration = .milliseconds(100)

    func waitForConnectivity(atMost limit: Duration) async throws {
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        // These tasks are unstructured, because this method must not wait for a monitor that ignores cancellation.
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
