import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One URLSession task as an async call.
///
/// URLSession's own `data(for:)` deadlocks on Linux when its Swift task is cancelled (swift-corelibs-foundation #5412).
/// Here a cancelled call returns at once, and the URLSession task is cancelled after it.
final class Attempt<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var task: URLSessionTask?
        var isCancelled = false
        /// Whether the task's completion handler has run.
        var isComplete = false
    }

    private let state = Lock(State())

    /// Makes a task, resumes it and waits for its end.
    ///
    /// - Parameters:
    ///   - queue: The delegate queue of the task's session.
    ///   - makeTask: Makes a task that calls the handler when it ends, on that queue.
    /// - Returns: What the handler was called with.
    /// - Throws: What the handler was called with, or `CancellationError`.
    func run(
        on queue: OperationQueue,
        _ makeTask: (_ handler: @escaping @Sendable (Result<Value, any Error>) -> Void) -> URLSessionTask
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                let task = SessionTracking.$isEnabled.withValue(false) { makeTask { self.complete($0) } }
                let isCancelled = state.withLock { state in
                    if !state.isCancelled { (state.continuation, state.task) = (continuation, task) }
                    return state.isCancelled
                }
                if isCancelled {
                    // A task that is never resumed stays alive until it is cancelled.
                    cancel(task, on: queue)
                    continuation.resume(throwing: CancellationError())
                } else {
                    task.resume()
                }
            }
        } onCancel: {
            let (continuation, task) = state.withLock { state in
                state.isCancelled = true
                defer { (state.continuation, state.task) = (nil, nil) }
                return (state.continuation, state.task)
            }
            continuation?.resume(throwing: CancellationError())
            if let task { cancel(task, on: queue) }
        }
    }

    private func complete(_ result: Result<Value, any Error>) {
        let (continuation, task) = state.withLock { state in
            state.isComplete = true
            defer { (state.continuation, state.task) = (nil, nil) }
            return (state.continuation, state.task)
        }
        withExtendedLifetime(task) {}
        continuation?.resume(with: result)
    }

    private func cancel(_ task: URLSessionTask, on queue: OperationQueue) {
        #if canImport(FoundationNetworking)
        // The completion is an operation of the serial delegate queue: while this one runs, it cannot.
        let cancellation = BlockOperation { [self] in
            guard !state.withLock({ $0.isComplete }) else { return }
            task.cancelBeforeCompletion()
        }
        queue.addOperation(cancellation)
        #else
        task.cancel()
        #endif
    }
}
