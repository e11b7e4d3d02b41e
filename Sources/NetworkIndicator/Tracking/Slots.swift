/// Values in numbered slots: put in, found and taken out in constant time, and never moved or copied in between.
///
/// Chunks of sixty-four slots, each with a word that says which of them are taken: a pass over the values does not walk
/// over holes, and nothing is copied as the number of values grows but three words for each chunk.
///
/// The first sixteen chunks have memory of their own, later ones in blocks of sixteen. The memory of a block that has
/// become empty is given back. (Blocks, because glibc puts small pieces of memory that are freed aside, such as the side
/// tables of weak references, and clears them up when a large one is freed: a thousand at a time, then, not a million.)
///
/// It owns its memory itself: in arrays of optionals, the runtime would have a say in every access.
///
/// Invariants, checked in debug builds: a value is only asked for where one is; the chunks with a free slot are linked
/// from `firstOpen` on, each once, and only the block of the first of them may have memory and no value; `count` is the
/// number of bits that are set.
final class Slots<Value: ~Copyable> {
    private struct Chunk {
        var values: UnsafeMutablePointer<Value>?
        var taken: UInt64 = 0
        var nextOpen: Int
    }

    /// The chunks that share their memory with this one.
    private static func block(of number: Int) -> Range<Int> {
        number < 16 ? number..<number + 1 : number & ~15..<(number | 15) + 1
    }

    private var chunks = UnsafeMutablePointer<Chunk>.allocate(capacity: 1)
    private var chunkCapacity = 1
    private var chunkCount = 0
    private var firstOpen = -1
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    deinit {
        var slot = next(from: 0)
        while let taken = slot {
            pointer(taken).deinitialize(count: 1)
            slot = next(from: taken + 1)
        }
        for number in 0..<chunkCount where Self.block(of: number).lowerBound == number {
            chunks[number].values?.deallocate()
        }
        chunks.deallocate()
    }

    /// Whether there is a value in this slot, if there is such a slot.
    @inline(__always)
    func isTaken(_ slot: Int) -> Bool {
        slot >> 6 < chunkCount && chunks[slot >> 6].taken >> UInt64(slot & 63) & 1 == 1
    }

    @inline(__always)
    private func pointer(_ slot: Int) -> UnsafeMutablePointer<Value> {
        assert(isTaken(slot), "nothing is in slot \(slot)")
        return chunks[slot >> 6].values.unsafelyUnwrapped + (slot & 63)
    }

    /// - Precondition: There is a value in this slot.
    subscript(slot: Int) -> Value {
        @inline(__always) _read { yield pointer(slot).pointee }
        @inline(__always) _modify { yield &pointer(slot).pointee }
    }

    /// Puts a value into a free slot.
    @inline(__always)
    func insert(_ value: consuming Value) -> Int {
        let slot = takeFreeSlot()
        pointer(slot).initialize(to: value)
        return slot
    }

    /// Takes the value out and frees its slot.
    ///
    /// - Precondition: There is a value in this slot.
    @inline(__always)
    @discardableResult
    func remove(at slot: Int) -> Value {
        let value = pointer(slot).move()
        giveBack(slot)
        return value
    }

    @inline(__always)
    private func takeFreeSlot() -> Int {
        if firstOpen < 0 { addBlock() }
        let number = firstOpen
        let chunk = chunks + number
        if chunk.pointee.values == nil { allocate(blockOf: number) }
        let slot = (~chunk.pointee.taken).trailingZeroBitCount
        chunk.pointee.taken |= 1 << UInt64(slot)
        if chunk.pointee.taken == .max { firstOpen = chunk.pointee.nextOpen }
        count += 1
        return number << 6 | slot
    }

    @inline(__always)
    private func giveBack(_ slot: Int) {
        let number = slot >> 6
        let chunk = chunks + number
        if chunk.pointee.taken == .max { open(number) }
        chunk.pointee.taken &= ~(1 << UInt64(slot & 63))
        count -= 1
        if chunk.pointee.taken == 0 { noteEmpty(number) }
    }

    /// A chunk that was full is going to have a free slot.
    @inline(never)
    private func open(_ number: Int) {
        let previous = firstOpen
        chunks[number].nextOpen = previous
        firstOpen = number
        if previous >= 0, chunks[previous].taken == 0 { trim(blockOf: previous) }
    }

    /// A chunk has no value any more.
    @inline(never)
    private func noteEmpty(_ number: Int) {
        if count == 0, chunkCount > 1 { removeAllChunks() } else { trim(blockOf: number) }
    }

    @inline(never)
    private func addBlock() {
        let block = Self.block(of: chunkCount)
        if block.upperBound > chunkCapacity {
            let old = chunks
            chunkCapacity *= 2
            chunks = .allocate(capacity: chunkCapacity)
            chunks.moveInitialize(from: old, count: chunkCount)
            old.deallocate()
        }
        for number in block {
            (chunks + number).initialize(to: Chunk(nextOpen: number + 1 < block.upperBound ? number + 1 : firstOpen))
        }
        chunkCount = block.upperBound
        firstOpen = block.lowerBound
    }

    @inline(never)
    private func allocate(blockOf number: Int) {
        let block = Self.block(of: number)
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: block.count * 64)
        for number in block { chunks[number].values = memory + (number - block.lowerBound) * 64 }
    }

    /// Gives the memory of a block back, if there is nothing in it. That of the first open chunk is kept for the next value.
    private func trim(blockOf number: Int) {
        let block = Self.block(of: number)
        guard !block.contains(firstOpen), block.allSatisfy({ chunks[$0].taken == 0 }) else { return }
        chunks[block.lowerBound].values?.deallocate()
        for number in block { chunks[number].values = nil }
    }

    private func removeAllChunks() {
        firstOpen = -1
        for number in 0..<chunkCount where chunks[number].values != nil { trim(blockOf: number) }
        chunks.deallocate()
        chunks = .allocate(capacity: 1)
        (chunkCapacity, chunkCount) = (1, 0)
    }

    /// The first slot from this one on that has a value.
    func next(from slot: Int) -> Int? {
        var (number, mask) = (slot >> 6, UInt64.max << UInt64(slot & 63))
        while number < chunkCount {
            let taken = chunks[number].taken & mask
            if taken != 0 { return number << 6 | taken.trailingZeroBitCount }
            (number, mask) = (number + 1, .max)
        }
        return nil
    }

    func forEach(_ body: (borrowing Value) -> Void) {
        var slot = next(from: 0)
        while let taken = slot {
            body(self[taken])
            slot = next(from: taken + 1)
        }
    }
}
