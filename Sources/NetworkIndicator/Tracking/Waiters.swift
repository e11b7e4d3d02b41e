/// Who waits until the manager is idle. Under the tracker's lock; continuations are resumed outside it.
struct Waiters {
    typealias ID = UInt64
    typealias Continuation = CheckedContinuation<Void, any Error>

    private var waiting: [ID: Continuation] = [:]
    /// The manager was idle, and the monitors are yet to hear of what led to it. Here, and not in the queue, so that the
    /// wait can be cancelled however long they take.
    private var due: [ID: Continuation] = [:]
    /// Whose cancellation came before the continuation did, or after it had been resumed.
    private var cancelled: Set<ID> = []
    private var lastID: ID = 0

    /// Whether nobody waits for the manager to be idle. Who is due no longer does.
    var isEmpty: Bool { waiting.isEmpty }
    /// How many calls have not come to their end.
    var count: Int { waiting.count + due.count + cancelled.count }

    mutating func makeID() -> ID {
        lastID += 1
        return lastID
    }

    /// - Returns: Whether it waits; false where it was cancelled before.
    mutating func add(_ continuation: Continuation, id: ID) -> Bool {
        if cancelled.remove(id) != nil { return false }
        waiting[id] = continuation
        return true
    }

    /// Hands out whom to tell of the cancellation.
    mutating func cancel(id: ID) -> Continuation? {
        if let continuation = waiting.removeValue(forKey: id) ?? due.removeValue(forKey: id) { return continuation }
        cancelled.insert(id)
        return nil
    }

    /// The wait is over, whichever way: forgets a cancellation that came too late.
    mutating func remove(id: ID) { cancelled.remove(id) }

    mutating func takeAll() -> [Continuation] {
        defer { waiting = [:] }
        return Array(waiting.values)
    }

    /// Their moment has come, and the monitors are to hear of it first.
    mutating func makeAllDue() -> [ID] {
        defer { waiting = [:] }
        due.merge(waiting) { _, new in new }
        return Array(waiting.keys)
    }

    /// Those that have not been cancelled meanwhile.
    mutating func takeDue(_ ids: [ID]) -> [Continuation] { ids.compactMap { due.removeValue(forKey: $0) } }
}
