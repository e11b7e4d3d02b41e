/// A task that can be looked up.
protocol TableEntry: ~Copyable {
    /// Unique among the entries of a table.
    var key: UInt64 { get }
}

/// Tasks by key: begin, find and end in constant time, whatever their number.
///
/// The index is in sixty-four parts, so that the longest pause for growing or shrinking it is a sixty-fourth of what it
/// would cost in one; and the parts, which fill and empty alike, do not shrink all at the same time.
///
/// Invariant, checked in debug builds: the part of the index that a key's hash names has the key under exactly its slot.
struct TaskTable<Entry: TableEntry & ~Copyable> {
    let slots = Slots<Entry>()
    private var index = ContiguousArray((0..<64).map { TaskIndex(shrinkFactor: 8 + $0 / 4) })

    var count: Int { slots.count }
    var isEmpty: Bool { slots.isEmpty }

    @inline(__always)
    private static func hash(_ key: UInt64) -> (part: Int, hash: UInt32) {
        let product = key &* 0x9E37_79B9_7F4A_7C15  // Fibonacci hashing: spreads addresses and consecutive numbers
        return (Int(truncatingIfNeeded: product >> 58), UInt32(truncatingIfNeeded: product >> 26))
    }

    /// Where the task with this key is, until it is removed.
    func slot(of key: UInt64) -> Int? {
        let (part, hash) = Self.hash(key)
        return index[part].slot(hash) { slots[$0].key == key }
    }

    subscript(slot: Int) -> Entry {
        _read { yield slots[slot] }
        nonmutating _modify { yield &slots[slot] }
    }

    @inline(__always)
    mutating func insert(_ entry: consuming Entry) -> Int {
        let (part, hash) = Self.hash(entry.key)
        let slot = slots.insert(entry)
        index[part].insert(hash, slot: slot)
        return slot
    }

    @inline(__always)
    mutating func remove(at slot: Int) {
        let (part, hash) = Self.hash(slots[slot].key)
        index[part].remove(hash, slot: slot)
        slots.remove(at: slot)
    }
}
