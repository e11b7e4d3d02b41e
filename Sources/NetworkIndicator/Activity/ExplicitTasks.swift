/// A slot map of the tasks whose end needs no polling: those of opaque tokens, scopes and increments of the activity
/// count.
struct ExplicitTasks: Sendable {
    /// The unique identifier prevents a stale handle from finding a later task in the same slot.
    struct Handle: Sendable {
        let id: UInt64
        let slot: Int
    }

    private var slots: [TaskRecord?] = []
    private var freeSlots: [Int] = []
    private var increments: [Handle] = []
    /// Until the latest removal, at least one task has been under way at every moment since this time.
    private(set) var nonEmptySince: Timestamp = .zero

    var isEmpty: Bool { slots.count == freeSlots.count }
    var liveSince: Timestamp? { isEmpty ? nil : nonEmptySince }

    mutating func insert(_ record: TaskRecord) -> Handle {
        if isEmpty { nonEmptySince = record.began }
        let slot = freeSlots.popLast() ?? slots.count
        let handle = Handle(id: record.id, slot: slot)
        if slot < slots.count { slots[slot] = record } else { slots.append(record) }
        if record.tokenType == nil { increments.append(handle) }
        return handle
    }

    /// Without this function, the compiler copies the record, which makes an opaque pair a fifth slower.
    private func contains(_ handle: Handle) -> Bool {
        handle.slot < slots.count && slots[handle.slot]?.id == handle.id
    }

    mutating func remove(_ handle: Handle) -> TaskRecord? {
        guard contains(handle) else { return nil }
        freeSlots.append(handle.slot)
        return slots[handle.slot].take()
    }

    mutating func takeLatestIncrement() -> Handle? { increments.popLast() }

    var records: [TaskRecord] { slots.compactMap(\.self) }
}
