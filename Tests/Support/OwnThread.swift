import Dispatch

/// Threads for work that must not wait for other tests. All tests share the cooperative pool, which has a thread for
/// each core, and some tests block such a thread for many seconds.
enum OwnThread {
    /// Begins a task on its own thread, if the system supports that.
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
