/// A queue of items to deliver in order. The lock of the queue's owner guards the queue.
///
/// A thread that holds the lock may append items. One thread at a time delivers items: it removes them while it holds
/// the lock, and delivers them after unlocking.
package struct EventQueue<Item: Sendable>: Sendable {
    private var pending: [Item] = []
    private var isDelivering = false

    package init() {}

    package var isDelivered: Bool { pending.isEmpty && !isDelivering }

    package mutating func append(_ item: Item) { pending.append(item) }

    /// Begins a delivery if items are pending and no delivery is in progress.
    ///
    /// - Returns: Whether the delivery began. If it did, the caller must call ``next(atMost:)`` until that method
    ///   returns no items.
    package mutating func beginDelivery() -> Bool {
        guard !pending.isEmpty, !isDelivering else { return false }
        isDelivering = true
        return true
    }

    /// Removes and returns up to `limit` items, in order. If no items are pending, ends the delivery and returns an
    /// empty array.
    package mutating func next(atMost limit: Int) -> [Item] {
        isDelivering = !pending.isEmpty
        defer { pending.removeFirst(min(limit, pending.count)) }
        return Array(pending.prefix(limit))
    }
}
