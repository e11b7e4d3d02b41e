/// A task that can be looked up.
protocol TableEntry {
    /// Unique among the entries of a table.
    var key: UInt64 { get }
}

/// Tasks by key: begin, find and end in constant time, whatever their number.
///
/// Sixty-four shards, each a dense array and an index of it. Dense, so that a sweep never walks over holes; sharded, so
/// that the longest pause for growing, shrinking or freeing is a sixty-fourth of what one array would cost.
///
/// Invariants, checked in debug builds: an entry stands in the shard that its key's hash names, and the index of the
/// shard has it under exactly its slot; bit *n* of `occupied` is set if and only if shard *n* holds an entry; `count`
/// is the sum of the shards' counts.
struct TaskTable<Entry: TableEntry> {
    private struct Shard {
        var entries: ContiguousArray<Entry> = []
        var index = TaskIndex()

        mutating func remove(at slot: Int) -> Entry {
            let last = entries.count - 1
            index.remove(TaskTable.hash(entries[slot].key).hash, slot: slot)
            if slot != last {
                index.move(TaskTable.hash(entries[last].key).hash, from: last, to: slot)
                // The buffer's `swapAt` moves; the array's would copy, and to copy a weak reference can load it.
                entries.withUnsafeMutableBufferPointer { $0.swapAt(slot, last) }
            }
            let removed = entries.removeLast()
            if entries.capacity > 64, entries.count * 8 < entries.capacity { shrink() }
            return removed
        }

        private mutating func shrink() {
            let count = entries.count
            entries = ContiguousArray(unsafeUninitializedCapacity: count * 2) { buffer, initializedCount in
                for slot in (0..<count).reversed() { buffer.initializeElement(at: slot, to: entries.removeLast()) }
                initializedCount = count
            }
        }
    }

    /// Where an entry stands until the table next changes.
    struct Position {
        fileprivate let shard: Int
        fileprivate let slot: Int
    }

    /// How far a pass over the table has come. Shards ascend, slots descend: removing an entry moves the last one of
    /// its shard into its place, which such a pass has behind it, so no entry is ever passed over.
    struct Cursor {
        fileprivate var shard = 0
        fileprivate var slot = Int.max
    }

    private var shards = ContiguousArray(repeating: Shard(), count: 64)
    private var occupied: UInt64 = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    @inline(__always)
    private static func hash(_ key: UInt64) -> (shard: Int, hash: UInt32) {
        let product = key &* 0x9E37_79B9_7F4A_7C15  // Fibonacci hashing: spreads addresses and consecutive numbers
        return (Int(truncatingIfNeeded: product >> 58), UInt32(truncatingIfNeeded: product >> 26))
    }

    func position(of key: UInt64) -> Position? {
        let (shard, hash) = Self.hash(key)
        let slot = shards[shard].index.slot(hash) { shards[shard].entries[$0].key == key }
        return slot.map { Position(shard: shard, slot: $0) }
    }

    subscript(position: Position) -> Entry {
        _read { yield shards[position.shard].entries[position.slot] }
        _modify { yield &shards[position.shard].entries[position.slot] }
    }

    mutating func insert(_ entry: consuming Entry) {
        let (shard, hash) = Self.hash(entry.key)
        shards[shard].index.insert(hash, slot: shards[shard].entries.count)
        shards[shard].entries.append(entry)
        occupied |= 1 << UInt64(shard)
        count += 1
    }

    mutating func remove(at position: Position) -> Entry {
        let removed = shards[position.shard].remove(at: position.slot)
        if shards[position.shard].entries.isEmpty { occupied &= ~(1 << UInt64(position.shard)) }
        count -= 1
        return removed
    }

    /// The next entry of a pass, or `nil` at its end. A pass that begins anew goes on for ever while there are entries.
    func next(_ cursor: inout Cursor) -> Position? {
        while true {
            let slot = min(cursor.slot, shards[cursor.shard].entries.count) - 1
            if slot >= 0 {
                cursor.slot = slot
                return Position(shard: cursor.shard, slot: slot)
            }
            let later = occupied & ~(UInt64.max >> UInt64(63 - cursor.shard))
            guard later != 0 else { return nil }
            cursor = Cursor(shard: later.trailingZeroBitCount)
        }
    }
}
