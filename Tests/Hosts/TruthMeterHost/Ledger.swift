import NetworkIndicator

/// The real activity: when each worker's task began, and since when there is no task.
struct Ledger: Sendable {
    typealias Instant = SuspendingClock.Instant

    struct Entry: Equatable {
        /// The latest time at which each worker's current task can have begun; `nil` if the task may have ended.
        var liveSince: [Instant?]
        /// The time since which there is certainly no task.
        var idleSince: Instant?
        fileprivate var unfinished = 0
    }

    private let state: Lock<Entry>

    init(workers: Int) {
        state = Lock(Entry(liveSince: Array(repeating: nil, count: workers), idleSince: SuspendingClock().now))
    }

    var entry: Entry { state.withLock { $0 } }

    /// Runs a task of a worker. It is live exactly between `begin` and `end`.
    func task(of worker: Int, begin: () -> () -> Void, hold: () -> Void) {
        state.withLock { entry in
            entry.unfinished += 1
            entry.idleSince = nil
        }
        let end = begin()
        let began = SuspendingClock().now
        state.withLock { $0.liveSince[worker] = began }
        hold()
        state.withLock { $0.liveSince[worker] = nil }
        end()
        let ended = SuspendingClock().now
        state.withLock { entry in
            entry.unfinished -= 1
            if entry.unfinished == 0 { entry.idleSince = ended }
        }
    }
}
