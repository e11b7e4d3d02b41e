/// Finds the slot of a task by the hash of its key, in constant time.
///
/// An open-addressing table with linear probing. A bucket holds the hash above and the slot, plus one, below (zero is
/// an empty bucket), so that neither growing nor removing ever looks at the tasks themselves. The bucket a hash belongs
/// in, its home, is its leading bits: a table that doubles is read and written from front to back.
struct TaskIndex {
    private var buckets: ContiguousArray<UInt64> = []
    /// How far to shift a bucket to have its home.
    private var shift: UInt64 = 0
    private var count = 0
    /// It shrinks when no more than one in so many buckets is in use.
    private let shrinkFactor: Int

    init(shrinkFactor: Int) { self.shrinkFactor = shrinkFactor }

    private static let smallest = 8

    private static func bucket(_ hash: UInt32, _ slot: Int) -> UInt64 {
        UInt64(hash) << 32 | UInt64(UInt32(truncatingIfNeeded: slot + 1))
    }

    @inline(__always)
    private func home(_ bucket: UInt64) -> Int { Int(truncatingIfNeeded: bucket >> shift) }

    /// The slot under this hash that `matches`, if there is one.
    @inline(__always)
    func slot(_ hash: UInt32, where matches: (Int) -> Bool) -> Int? {
        guard count > 0 else { return nil }
        return buckets.withUnsafeBufferPointer { buckets in
            var position = home(UInt64(hash) << 32)
            while true {
                let bucket = buckets[position]
                if bucket == 0 { return nil }
                if UInt32(truncatingIfNeeded: bucket >> 32) == hash {
                    let slot = Int(UInt32(truncatingIfNeeded: bucket)) - 1
                    if matches(slot) { return slot }
                }
                position = (position + 1) & (buckets.count - 1)
            }
        }
    }

    mutating func insert(_ hash: UInt32, slot: Int) {
        if (count + 1) * 4 > buckets.count * 3 { resize(to: max(Self.smallest, buckets.count * 2)) }
        place(Self.bucket(hash, slot))
        count += 1
    }

    mutating func remove(_ hash: UInt32, slot: Int) {
        let removed = Self.bucket(hash, slot)
        let shift = shift
        buckets.withUnsafeMutableBufferPointer { buckets in
            let mask = buckets.count - 1
            var hole = Int(truncatingIfNeeded: removed >> shift)
            while buckets[hole] != removed {
                assert(buckets[hole] != 0, "every slot stands in the index")
                hole = (hole + 1) & mask
            }
            // What was displaced past the hole moves up into it, so that no probe ends early and no tombstones remain.
            var position = (hole + 1) & mask
            while buckets[position] != 0 {
                let distanceFromHome = (position - Int(truncatingIfNeeded: buckets[position] >> shift)) & mask
                if distanceFromHome >= (position - hole) & mask {
                    buckets[hole] = buckets[position]
                    hole = position
                }
                position = (position + 1) & mask
            }
            buckets[hole] = 0
        }
        count -= 1
        if buckets.count > Self.smallest, count * shrinkFactor < buckets.count { resize(to: buckets.count / 4) }
    }

    @inline(__always)
    private mutating func place(_ bucket: UInt64) {
        var position = home(bucket)
        buckets.withUnsafeMutableBufferPointer { buckets in
            while buckets[position] != 0 { position = (position + 1) & (buckets.count - 1) }
            buckets[position] = bucket
        }
    }

    @inline(never)
    private mutating func resize(to size: Int) {
        let old = buckets
        let size = max(Self.smallest, size)
        buckets = ContiguousArray(repeating: 0, count: size)
        shift = UInt64(64 - size.trailingZeroBitCount)
        for bucket in old where bucket != 0 { place(bucket) }
    }
}
