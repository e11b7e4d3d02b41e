/// Who waits until the manager is idle. Under the tracker's lock; continuations are resumed outside it.
struct Waiters {
    typealias Continuation = CheckedContinuation<Void, any Error>

    private enum Waiter {
        case waiting(Continuation)
        /// The cancellation came before the continuation did.
        case cancelled
    }

    private var waiters: [UInt64: Waiter] = [:]
    private var lastID: UInt64 = 0

    var isEmpty: Bool { waiters.isEmpty }
    var count: Int { waiters.count }

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// - Returns: Whether it waits; false where it was cancelled before.
    mutating func add(_ continuation: Continuation, id: UInt64) -> Bool {
        if case .cancelled = waiters.removeValue(forKey: id) { return false }
        waiters[id] = .waiting(continuation)
        return true
    }

    /// Hands out whom to tell of the cancellation.
    mutating func cancel(id: UInt64) -> Continuation? {
        if case .waiting(let continuation) = waiters.removeValue(forKey: id) { return continuation }
        waiters[id] = .cancelled
        return nil
    }

    /// The wait is over, whichever way: forgets a cancellation that came too late.
    mutating func remove(id: UInt64) { waiters[id] = nil }

    mutating func takeAll() -> [Continuation] {
        let taken = waiters
        waiters = taken.filter { if case .cancelled = $0.value { true } else { false } }
        return taken.values.compactMap { if case .waiting(let continuation) = $0 { continuation } else { nil } }
    }
}
