/// The calls that wait until the manager is idle. The tracker's lock guards them; their streams are finished outside
/// the lock.
struct Waiters {
    /// The stream of a call yields nothing. Finishing it is idempotent, and ends the call.
    typealias Continuation = AsyncThrowingStream<Never, any Error>.Continuation

    private(set) var calls: [UInt64: (continuation: Continuation, deadline: Timestamp?)] = [:]
    private var lastID: UInt64 = 0

    var isEmpty: Bool { calls.isEmpty }
    var nextDeadline: Timestamp? { calls.values.compactMap(\.deadline).min() }

    mutating func add(_ continuation: Continuation, deadline: Timestamp?) -> UInt64 {
        lastID += 1
        calls[lastID] = (continuation, deadline)
        return lastID
    }

    mutating func remove(id: UInt64) -> Continuation? { calls.removeValue(forKey: id)?.continuation }

    mutating func removeAll() -> [Continuation] {
        defer { calls = [:] }
        return calls.values.map(\.continuation)
    }

    mutating func removeExpired(at now: Timestamp) -> [Continuation] {
        calls.filter { $0.value.deadline.map { $0 <= now } ?? false }.keys.compactMap { remove(id: $0) }
    }
}
