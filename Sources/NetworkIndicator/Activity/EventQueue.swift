/// Stores items until they are delivered, in order. The owner's lock guards the queue.
///
/// Any thread may append items while it holds the lock. One thread at a time removes items while it holds the lock, and
/// delivers them after unlocking.
package struct EventQueue<Item: Sendable>: Sendable {
    private var pending: [Item] = []
    private var isDelivering = false

    package init() {}

    /// Whether every item has been delivered.
    package var isDelivered: Bool { pending.isEmpty && !isDelivering }

    package mutating func append(_ item: Item) { pending.append(item) }

    /// Begins a delivery, unless no item is pending or another thread is delivering.
    ///
    /// - Returns: Whether the caller must deliver items. If so, it calls ``next(atMost:)`` until that method returns no
    ///   item.
    package mutating func beginDelivery() -> Bool {
        guard !pending.isEmpty, !isDelivering else { return false }
        isDelivering = true
        return true
    }

    /// Removes and returns the next items, in order. If no item is pending, the delivery ends.
    package mutating func next(atMost limit: Int) -> [Item] {
        isDelivering = !pending.isEmpty
        defer { pending.removeFirst(min(limit, pending.count)) }
        return Array(pending.prefix(limit))
    }
}
