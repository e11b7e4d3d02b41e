import Dispatch

/// Other tests may block the cooperative thread pool for many seconds. If the system supports task executors, urgent
/// work therefore runs on a dispatch queue.
enum OwnThread {
    static func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            Task(executorPreference: Executor()) { await body() }
        } else {
            Task { await body() }
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private final class Executor: TaskExecutor {
        private let queue = DispatchQueue(label: "TestSupport.OwnThread")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}
