#if canImport(FoundationNetworking)
import FoundationNetworking

extension URLSessionTask {
    /// Cancels a task that has not called its last delegate method. Call this on the session's serial delegate queue.
    ///
    /// On Linux, a cancellation during the task's completion traps (swift-corelibs-foundation #3296).
    func cancelBeforeCompletion() {
        cancel()
        // Reading the priority waits for the task's own queue, which performs the cancellation in two steps.
        repeat { _ = priority } while error == nil && state == .canceling
        _ = priority
    }
}
#endif
