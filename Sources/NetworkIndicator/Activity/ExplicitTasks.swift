/// The tasks that their callers end: opaque tokens, scopes, and increments of the activity count.
///
/// This is a slot map: a task keeps its slot until it ends, so a handle leads to its task without a search.
struct ExplicitTasks: Sendable {
    /// Identifies a task. Identifiers are unique, so a stale handle finds nothing, even if another task uses its slot.
    struct Handle: Sendable {
        let id: UInt64
        let slot: Int
    }

    private var slots: [TaskRecord?] = []
    private var freeSlots: [Int] = []
    private var increments: [Handle] = []
    /// Since when there has always been a task. It has no meaning while there is none.
    private var nonEmptySince: Timestamp?

    var count: Int { slots.count - freeSlots.count }
    var isEmpty: Bool { count == 0 }
    /// Since when there has been a task at each moment; `nil` while there is none. Callers report each end, so this is
    /// exact.
    var liveSince: Timestamp? { isEmpty ? nil : nonEmptySince }
    /// Begins a task.
    mutating func insert(_ record: TaskRecord) -> Handle {
        if isEmpty { nonEmptySince = record.began }
        let slot = freeSlots.popLast() ?? slots.count
        let handle = Handle(id: record.id, slot: slot)
        if slot < slots.count { slots[slot] = record } else { slots.append(record) }
        if record.tokenType == nil { increments.append(handle) }
        return handle
    }

    private func contains(_ handle: Handle) -> Bool {
        handle.slot < slots.count && slots[handle.slot]?.id == handle.id
    }

    /// Removes a task.
    ///
    /// - Returns: Its record, to be released after unlocking, or `nil` if it has already ended.
    mutating func remove(_ handle: Handle) -> TaskRecord? {
        guard contains(handle) else { return nil }
        freeSlots.append(handle.slot)
        return slots[handle.slot].take()
    }

    /// Removes and returns the handle of the latest increment of the activity count. The task itself remains.
    mutating func takeLatestIncrement() -> Handle? { increments.popLast() }

    var records: [TaskRecord] { slots.compactMap(\.self) }

    /// Marks the tasks that have lasted for a time. Returns those that were not marked before.
    mutating func markAsLongRunning(after threshold: Duration, at now: Timestamp) -> [TaskRecord] {
        slots.indices.compactMap { slots[$0]?.markAsLongRunning(after: threshold, at: now) }
    }
}
