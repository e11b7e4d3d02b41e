#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// URLSession traps if a task completes while it is being cancelled (swift-corelibs-foundation #3296). Tasks complete
/// on the session's serial delegate queue, so an operation on that queue can cancel them safely. In a Swift task's
/// cancellation handler, `cancel()` can also deadlock (#5412). When both faults are fixed, delete this type and call
/// `cancel()`.
final class TaskCancellations: Sendable {
    private let pending = Lock<[URLSessionTask]>([])

    /// One operation cancels all pending tasks, because an operation for each task would be expensive.
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
            // The operation must not end before the tasks are cancelled. Each task's own queue performs the
            // cancellation in up to two steps. Reading the priority waits for one step.
            for _ in 1...2 { for task in tasks { _ = task.priority } }
        }
        queue.addOperation(cancellation)
    }
}
#endif
