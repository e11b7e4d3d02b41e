/// Items that wait for delivery, in order. The owner's lock guards the queue.
///
/// Any thread appends items under the lock. One thread at a time removes them, and delivers them outside the lock.
package struct EventQueue<Item: Sendable>: Sendable {
    private var pending: [Item] = []
    private var isDelivering = false

    package init() {}

    /// Whether every item has been delivered.
    package var isDelivered: Bool { pending.isEmpty && !isDelivering }

    package mutating func append(_ item: Item) { pending.append(item) }

    /// Begins a delivery, unless nothing is pending, or another thread is delivering.
    ///
    /// - Returns: Whether the caller must deliver, until ``next(atMost:)`` returns no item.
    package mutating func beginDelivery() -> Bool {
        guard !pending.isEmpty, !isDelivering else { return false }
        isDelivering = true
        return true
    }

    /// Removes and returns the next items, in order. If there is none, the delivery ends.
    package mutating func next(atMost limit: Int) -> [Item] {
        isDelivering = !pending.isEmpty
        defer { pending.removeFirst(min(limit, pending.count)) }
        return Array(pending.prefix(limit))
    }
}
