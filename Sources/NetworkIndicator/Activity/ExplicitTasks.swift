/// The tasks that their callers end: opaque tokens, scopes, and increments of the activity count.
///
/// This is a slot map: a task keeps its slot until it ends, so a handle leads to its task without a search.
struct ExplicitTasks {
    /// Identifies a task. Identifiers are unique, so a stale handle finds nothing, even if another task uses its slot.
    struct Handle: Sendable {
        let id: UInt64
        let slot: Int
    }

    private var slots: [TaskRecord?] = []
    private var freeSlots: [Int] = []
    private var increments: [Handle] = []

    var count: Int { slots.count - freeSlots.count }
    var isEmpty: Bool { count == 0 }
    /// The number of slots, including free ones: the upper bound for a loop over all tasks.
    var slotCount: Int { slots.count }

    mutating func insert(_ record: TaskRecord) -> Handle {
        let slot = freeSlots.popLast() ?? slots.count
        let handle = Handle(id: record.id, slot: slot)
        if slot < slots.count { slots[slot] = record } else { slots.append(record) }
        if record.isIncrement { increments.append(handle) }
        return handle
    }

    /// Removes a task.
    ///
    /// - Returns: Its record, to be released after unlocking, or `nil` if it has already ended.
    mutating func remove(_ handle: Handle) -> TaskRecord? {
        guard handle.slot < slots.count, slots[handle.slot]?.id == handle.id else { return nil }
        freeSlots.append(handle.slot)
        return slots[handle.slot].take()
    }

    /// Removes the latest increment of the activity count. Returns `nil` if there is none.
    mutating func removeLatestIncrement() -> TaskRecord? { increments.popLast().flatMap { remove($0) } }

    func record(slot: Int) -> TaskRecord? { slots[slot] }

    /// Marks a task, unless it has ended or is already marked.
    ///
    /// - Returns: Whether this call marked the task.
    mutating func markAsLongRunning(slot: Int, id: UInt64) -> Bool {
        guard slot < slots.count, let record = slots[slot], record.id == id, !record.isReportedAsLongRunning else {
            return false
        }
        slots[slot]?.markAsLongRunning()
        return true
    }

    func forEach(_ body: (TaskRecord) -> Void) { slots.forEach { $0.map(body) } }
}
