import NetworkIndicator

/// The executor runs `waitUntilIdle` on the test's thread, so that schedules are reproducible.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@MainActor
final class OracleWait {
    enum Result { case idle, busy, cancelled }

    final class Executor: TaskExecutor {
        private let jobs = Lock<[UnownedJob]>([])

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.withLock { $0.append(job) }
        }

        func run() {
            while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }

    let executor = Executor()
    private let box = Lock<Result?>(nil)
    private let deadline: Duration?
    let task: Task<Void, Never>

    init(_ manager: NetworkIndicatorManager, timeout: Duration?, at now: Duration) {
        deadline = timeout.map { now + $0 }
        task = Task(executorPreference: executor) { [box] in
            var result = Result.idle
            do {
                if let timeout {
                    try await manager.waitUntilIdle(timeout: timeout)
                } else {
                    try await manager.waitUntilIdle()
                }
            } catch {
                result = error is NetworkBusyError ? .busy : .cancelled
            }
            box.withLock { [result] in $0 = result }
        }
    }

    var result: Result? { box.withLock { $0 } }

    func violation(_ promises: OraclePromises, at now: Duration) -> String? {
        let isExpired = deadline.map { $0 <= now } ?? false
        return switch result {
        case .idle: promises.isBusy || promises.isOn ? "waitUntilIdle returned too early" : nil
        case .busy: isExpired ? nil : "waitUntilIdle threw before its timeout"
        case .cancelled: task.isCancelled ? nil : "waitUntilIdle threw without a cancellation"
        case nil: isExpired || task.isCancelled || promises.isAtRest ? "waitUntilIdle doesn't return" : nil
        }
    }
}
