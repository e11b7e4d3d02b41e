#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// Cancels tasks without racing their completions.
///
/// URLSession traps if a task completes while it is being cancelled (swift-corelibs-foundation #3296). The completion is a
/// call on the session's serial delegate queue, so it can't run during an operation of that queue. When this is fixed,
/// delete the type, and call `cancel()`.
final class TaskCancellations: Sendable {
    private let pending = Lock<[URLSessionTask]>([])

    /// Cancels a task, unless it is complete.
    ///
    /// The tasks that wait are cancelled together, in one operation. An operation for each task would keep the queue
    /// busy, because each one waits for another thread.
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
            // The task's own queue performs the cancellation, in up to two steps. Reading the priority waits for one, so
            // the cancellation is complete when the next operation runs.
            for _ in 1...2 { for task in tasks { _ = task.priority } }
        }
        queue.addOperation(cancellation)
    }
}
#endif
