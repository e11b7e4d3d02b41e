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
        _ task: URLSessionTask, in session: SiblingSession, if isOpen: @escaping @Sendable (URLSessionTask) -> Bool
    ) {
        let isFirst = pending.withLock { pending in
            pending.append(task)
            return pending.count == 1
        }
        guard isFirst else { return }
        // Without the suspension, arriving data could delay the cancellation without a limit.
        let readingQueue = session.readingQueue
        readingQueue?.suspend()
        let cancellation = BlockOperation { [self] in
            let taken = pending.withLock { pending in
                defer { pending = [] }
                return pending
            }
            Self.cancel(taken.filter(isOpen))
            readingQueue?.resume()
        }
        session.delegateQueue.addOperation(cancellation)
    }

    /// Call this method on the session's delegate queue. It must not end before the tasks are cancelled. Each task's
    /// own queue performs the cancellation in up to two steps. Reading the priority waits for one step.
    static func cancel(_ tasks: [URLSessionTask]) {
        for task in tasks { task.cancel() }
        for _ in 1...2 { for task in tasks { _ = task.priority } }
    }
}
#endif
