/// Finds the slot of a task by the hash of its key, in constant time.
///
/// An open-addressing table with linear probing. A bucket holds the hash above and the slot, plus one, below (zero is
/// an empty bucket), so that neither growing nor removing ever looks at the tasks themselves. The bucket a hash belongs
/// in, its home, is its leading bits: a table that doubles is read and written from front to back.
struct TaskIndex {
    private var buckets: ContiguousArray<UInt64> = []
    private var count = 0

    private static let smallest = 8

    private var mask: Int { buckets.count - 1 }

    private func home(_ bucket: UInt64) -> Int {
        Int(truncatingIfNeeded: bucket >> UInt64(64 - buckets.count.trailingZeroBitCount))
    }

    private static func bucket(_ hash: UInt32, _ slot: Int) -> UInt64 {
        UInt64(hash) << 32 | UInt64(UInt32(truncatingIfNeeded: slot + 1))
    }

    /// The slot under this hash that `matches`, if there is one.
    @inline(__always)
    func slot(_ hash: UInt32, where matches: (Int) -> Bool) -> Int? {
        guard count > 0 else { return nil }
        var position = home(UInt64(hash) << 32)
        while buckets[position] != 0 {
            let bucket = buckets[position]
            if UInt32(truncatingIfNeeded: bucket >> 32) == hash {
                let slot = Int(UInt32(truncatingIfNeeded: bucket)) - 1
                if matches(slot) { return slot }
            }
            position = (position + 1) & mask
        }
        return nil
    }

    mutating func insert(_ hash: UInt32, slot: Int) {
        if (count + 1) * 4 > buckets.count * 3 { resize(to: max(Self.smallest, buckets.count * 2)) }
        place(Self.bucket(hash, slot))
        count += 1
    }

    /// The task in slot `from` has moved to slot `to`.
    mutating func move(_ hash: UInt32, from: Int, to: Int) {
        buckets[position(of: Self.bucket(hash, from))] = Self.bucket(hash, to)
    }

    mutating func remove(_ hash: UInt32, slot: Int) {
        var hole = position(of: Self.bucket(hash, slot))
        // What was displaced past the hole moves up into it, so that no probe ends early and no tombstones remain.
        var position = (hole + 1) & mask
        while buckets[position] != 0 {
            let distanceFromHome = (position - home(buckets[position])) & mask
            if distanceFromHome >= (position - hole) & mask {
                buckets[hole] = buckets[position]
                hole = position
            }
            position = (position + 1) & mask
        }
        buckets[hole] = 0
        count -= 1
        if buckets.count > Self.smallest, count * 8 < buckets.count { resize(to: buckets.count / 4) }
    }

    private func position(of bucket: UInt64) -> Int {
        var position = home(bucket)
        while buckets[position] != bucket {
            assert(buckets[position] != 0, "every slot stands in the index")
            position = (position + 1) & mask
        }
        return position
    }

    private mutating func place(_ bucket: UInt64) {
        var position = home(bucket)
        while buckets[position] != 0 { position = (position + 1) & mask }
        buckets[position] = bucket
    }

    private mutating func resize(to size: Int) {
        let old = buckets
        buckets = ContiguousArray(repeating: 0, count: max(Self.smallest, size))
        for bucket in old where bucket != 0 { place(bucket) }
    }
}
