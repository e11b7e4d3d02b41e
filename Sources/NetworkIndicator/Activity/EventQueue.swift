typealias MonitorEvent = (event: NetworkTaskEvent, monitors: [ObjectIdentifier: NetworkIndicatorManager.Attachment])

/// The owner must guard the queue with a lock, and must deliver the events after unlocking.
struct EventQueue: Sendable {
    private var pending: [MonitorEvent] = []
    private var isDelivering = false

    var isDelivered: Bool { pending.isEmpty && !isDelivering }

    mutating func append(_ event: MonitorEvent) { pending.append(event) }

    /// If this method returns `true`, the caller must call ``next(atMost:)`` until that method returns no events.
    mutating func beginDelivery() -> Bool {
        guard !pending.isEmpty, !isDelivering else { return false }
        isDelivering = true
        return true
    }

    mutating func next(atMost limit: Int) -> [MonitorEvent] {
        isDelivering = !pending.isEmpty
        let next = Array(pending.prefix(limit))
        // While `next` shares the storage, this gives the queue a storage of its own. Otherwise, only the reference
        // count would order a later `append` after the caller's reads, and the Thread Sanitizer doesn't see the count.
        pending.removeFirst(next.count)
        return next
    }
}
