/// Stores the tasks whose ends need no polls: those of opaque tokens, scopes and increments of the activity count.
///
/// This is a slot map. A task keeps its slot until it ends, so finding the task of a handle takes constant time.
struct ExplicitTasks: Sendable {
    /// Identifies a task. The unique identifier prevents a stale handle from finding a later task in the same slot.
    struct Handle: Sendable {
        let id: UInt64
        let slot: Int
    }

    private var slots: [TaskRecord?] = []
    private var freeSlots: [Int] = []
    private var increments: [Handle] = []
    /// The value of ``liveSince``, which is stale while there is no task.
    private var nonEmptySince: Timestamp?

    var count: Int { slots.count - freeSlots.count }
    var isEmpty: Bool { count == 0 }
    /// The time since which there has always been a task; `nil` while there is no task. Each end is reported at once,
    /// so this time is exact.
    var liveSince: Timestamp? { isEmpty ? nil : nonEmptySince }

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

    /// Removes a task and returns its record, or `nil` if the task has already ended.
    mutating func remove(_ handle: Handle) -> TaskRecord? {
        guard contains(handle) else { return nil }
        freeSlots.append(handle.slot)
        return slots[handle.slot].take()
    }

    /// Removes and returns the handle of the latest increment of the activity count. The task itself remains.
    mutating func takeLatestIncrement() -> Handle? { increments.popLast() }

    var records: [TaskRecord] { slots.compactMap(\.self) }

    mutating func markAsLongRunning(after threshold: Duration, at now: Timestamp) -> [TaskRecord] {
        slots.indices.compactMap { slots[$0]?.markAsLongRunning(after: threshold, at: now) }
    }
}
