/// The owner must guard the queue with a lock, and must deliver the items after unlocking.
package struct EventQueue<Item: Sendable>: Sendable {
    private var pending: [Item] = []
    private var isDelivering = false

    package init() {}

    package var isDelivered: Bool { pending.isEmpty && !isDelivering }

    package mutating func append(_ item: Item) { pending.append(item) }

    /// If this method returns `true`, the caller must call ``next(atMost:)`` until that method returns no items.
    package mutating func beginDelivery() -> Bool {
        guard !pending.isEmpty, !isDelivering else { return false }
        isDelivering = true
        return true
    }

    package mutating func next(atMost limit: Int) -> [Item] {
        isDelivering = !pending.isEmpty
        guard limit < pending.count else {
            // The queue keeps no reference to the storage. With a copy, only the reference count would order a later
            // `append` after the caller's reads, and the Thread Sanitizer doesn't see the count.
            defer { pending = [] }
            return pending
        }
        defer { pending.removeFirst(limit) }
        return Array(pending.prefix(limit))
    }
}
