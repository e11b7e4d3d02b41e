#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// Cancels tasks without racing their completions.
///
/// URLSession traps if a task completes while it is being cancelled (swift-corelibs-foundation #3296). A task completes
/// in a call on the session's serial delegate queue, so it can't complete during an operation of that queue. When this
/// issue is fixed, delete the type and call `cancel()`.
final class TaskCancellations: Sendable {
    private let pending = Lock<[URLSessionTask]>([])

    /// Cancels a task, unless it is complete.
    ///
    /// One operation cancels all pending tasks. Each operation waits for another thread, so an operation for each task
    /// would block the queue for too long.
    func cancel(
        _ task: URLSessionTask, on queue: OperationQueue, if isOpen: @escaping @Sendable (URLSessionTask) -> Bool
    ) {
        let isFirst = pending.withLock { pending in
            pending.append(task)
            return pending.count == 1
        }
        guard isFirst else { return }
        let cancellation = BlockOperation { [self] in
            let taken = pending.withLock { pending in
                defer { pending = [] }
                return pending
            }
            let tasks = taken.filter(isOpen)
            for task in tasks { task.cancel() }
            // The task's own queue performs the cancellation, in up to two steps. Reading the priority waits for one
            // step. So the cancellation is complete when the next operation runs.
            for _ in 1...2 { for task in tasks { _ = task.priority } }
        }
        queue.addOperation(cancellation)
    }
}
#endif
