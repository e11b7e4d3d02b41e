import NetworkIndicator

/// The truth: which worker has a task and since when, and since when none has.
struct Ledger: Sendable {
    typealias Instant = SuspendingClock.Instant

    struct Entry: Equatable {
        /// When each worker's present task had certainly begun, while it has certainly not ended.
        var liveSince: [Instant?]
        /// Since when there has certainly been no task.
        var idleSince: Instant?
        fileprivate var unfinished = 0
    }

    private let state: Lock<Entry>

    init(workers: Int) {
        state = Lock(Entry(liveSince: Array(repeating: nil, count: workers), idleSince: SuspendingClock().now))
    }

    var entry: Entry { state.withLock { $0 } }

    /// Runs a task of a worker: between `begin` and `end` it is live, before and after it is not.
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
