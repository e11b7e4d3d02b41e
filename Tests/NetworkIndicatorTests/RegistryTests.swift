import Testing

@testable import NetworkIndicator

/// The table of tasks against a plain dictionary, and the registry's sweeps.
@Suite struct RegistryTests {
    struct Entry: TableEntry {
        let key: UInt64
        var value: Int
    }

    /// Keys that a table finds hard: few, so that they come and go; consecutive; and like addresses.
    @Test(arguments: [1, 16, 4096] as [UInt64], [20, 3000])
    func tableIsADictionary(stride: UInt64, keys: Int) {
        var table = TaskTable<Entry>()
        var reference: [UInt64: Int] = [:]
        for step in 0..<30_000 {
            let key = UInt64.random(in: 0..<UInt64(keys)) * stride
            let slot = table.slot(of: key)
            #expect((slot != nil) == (reference[key] != nil))
            // Mostly growing in the first half, mostly shrinking in the second.
            if let slot {
                #expect(table[slot].value == reference[key])
                if Bool.random() || step > 15_000 {
                    table.remove(at: slot)
                    reference[key] = nil
                }
            } else if step < 15_000 || Int.random(in: 0..<4) == 0 {
                let slot = table.insert(Entry(key: key, value: step))
                #expect(table.slot(of: key) == slot)
                reference[key] = step
            }
            #expect(table.count == reference.count)
        }
        var seen: [UInt64: Int] = [:]
        table.slots.forEach { seen[$0.key] = $0.value }
        #expect(seen == reference)
    }

    /// Fills and empties, in order and out of order, until nothing is left, so that blocks come and go.
    @Test(arguments: [1, 63, 64, 65, 1024, 1025, 5000])
    func slotsKeepTheirValues(count: Int) {
        let slots = Slots<Int>()
        for round in 0..<4 {
            var taken: [Int: Int] = [:]
            for value in 0..<count {
                let slot = slots.insert(value)
                #expect(taken.updateValue(value, forKey: slot) == nil)
            }
            #expect(slots.count == count)
            let kept = taken.keys.shuffled().prefix(round * count / 4)
            for slot in round.isMultiple(of: 2) ? taken.keys.sorted() : taken.keys.shuffled() where !kept.contains(slot)
            {
                slots.remove(at: slot)
            }
            var seen: [Int: Int] = [:]
            var slot = slots.next(from: 0)
            while let next = slot {
                seen[next] = slots[next]
                slot = slots.next(from: next + 1)
            }
            #expect(seen == taken.filter { kept.contains($0.key) })
            kept.forEach { slots.remove(at: $0) }
            #expect(slots.isEmpty)
            #expect(slots.next(from: 0) == nil)
        }
    }

    final class Token {}

    private func info(_ id: UInt64) -> NetworkTaskInfo {
        NetworkTaskInfo(
            id: id, label: nil, type: Token.self, began: Timestamp(SuspendingClock().now), fileID: #fileID, line: #line)
    }

    @Test func roundOfLooksMeetsEveryTask() {
        var registry = TokenRegistry()
        let tokens = (0..<1000).map { _ in Token() }
        for token in tokens { _ = registry.begin(token, info(registry.makeID())) }
        var met: Set<Int> = []
        for _ in tokens { registry.nextToExamine().map { _ = met.insert($0) } }
        #expect(met.count == 1000)
    }

    @Test func onlyTheVeryObjectMatches() throws {
        var registry = TokenRegistry()
        let token = Token()
        _ = registry.begin(token, info(1))
        #expect(registry.slot(of: Token()) == nil)
        guard case .alreadyBegan = registry.begin(token, info(2)) else {
            Issue.record("begun twice")
            return
        }
        _ = registry.endWeakTask(in: try #require(registry.slot(of: token)))
        #expect(registry.slot(of: token) == nil)
        #expect(registry.count == 0)
    }

    @Test func anotherTaskInTheSlotOfAFinishedOneIsNotIt() {
        var registry = TokenRegistry()
        let first = registry.beginOpaque(info(1))
        _ = registry.end(first)
        let second = registry.beginOpaque(info(2))
        #expect(second.slot == first.slot)
        #expect(!registry.isOpaqueTask(first))
        #expect(registry.isOpaqueTask(second))
    }

    @Test func aTaskTakesFewBytes() {
        // With an index of at most 17 bytes and a weak reference's side table of 32, this keeps a task within 160 bytes.
        #expect(MemoryLayout<TokenRegistry.WeakTask>.stride <= 88)
        #expect(MemoryLayout<NetworkTaskInfo>.stride <= 72)
    }
}
