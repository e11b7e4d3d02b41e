#if canImport(FoundationNetworking)
import FoundationNetworking

extension URLSessionTask {
    /// Cancels a task whose completion handler has not run, on the serial delegate queue of its session.
    ///
    /// On Linux a cancel that meets the task's completion crashes ("behaviour for a task … not in the registry").
    func cancelBeforeCompletion() {
        cancel()
        // Reading the priority waits for the task's own queue, on which the cancellation is carried out in two steps.
        repeat { _ = priority } while error == nil && state == .canceling
        _ = priority
    }
}
#endif
