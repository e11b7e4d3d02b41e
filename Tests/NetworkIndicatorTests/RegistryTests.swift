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
        var generator = SystemRandomNumberGenerator()
        var table = TaskTable<Entry>()
        var reference: [UInt64: Int] = [:]
        for step in 0..<30_000 {
            let key = UInt64.random(in: 0..<UInt64(keys), using: &generator) * stride
            let position = table.position(of: key)
            #expect((position != nil) == (reference[key] != nil))
            // Mostly growing in the first half, mostly shrinking in the second.
            if let position {
                #expect(table[position].value == reference[key])
                if Bool.random() || step > 15_000 {
                    #expect(table.remove(at: position).key == key)
                    reference[key] = nil
                }
            } else if step < 15_000 || Int.random(in: 0..<4) == 0 {
                table.insert(Entry(key: key, value: step))
                reference[key] = step
            }
            #expect(table.count == reference.count)
        }
        var cursor = TaskTable<Entry>.Cursor()
        var seen: [UInt64: Int] = [:]
        while let position = table.next(&cursor) { seen[table[position].key] = table[position].value }
        #expect(seen == reference)
    }

    @Test func passMissesNoEntryWhateverIsRemovedMeanwhile() {
        for _ in 0..<50 {
            var table = TaskTable<Entry>()
            for key in 0..<500 { table.insert(Entry(key: UInt64(key), value: 0)) }
            var removed: Set<UInt64> = []
            var seen: Set<UInt64> = []
            var cursor = TaskTable<Entry>.Cursor()
            while let position = table.next(&cursor) {
                seen.insert(table[position].key)
                let key = UInt64.random(in: 0..<500)
                if let position = table.position(of: key) {
                    _ = table.remove(at: position)
                    if !seen.contains(key) { removed.insert(key) }
                }
            }
            #expect(seen.union(removed).count == 500)
        }
    }

    final class Token {}

    private func info(_ label: String? = nil) -> NetworkTaskInfo {
        NetworkTaskInfo(
            label: label, type: Token.self, began: Timestamp(SuspendingClock().now), fileID: #fileID, line: #line)
    }

    @Test func roundOfLooksEndsEveryDeadTask() {
        var registry = TokenRegistry()
        let kept = (0..<100).map { _ in Token() }
        do {
            let dropped = (0..<1000).map { _ in Token() }
            for token in kept + dropped { _ = registry.begin(token, info()) }
        }
        var ended = 0
        for _ in 0..<1100 { if case .ended = registry.examineNext() { ended += 1 } }
        #expect(ended == 1000)
        #expect(registry.count == 100)
        withExtendedLifetime(kept) {}
    }

    @Test func onlyTheVeryObjectMatches() {
        var registry = TokenRegistry()
        let token = Token()
        _ = registry.begin(token, info())
        #expect(registry.finish(Token()) == nil)
        guard case .alreadyBegan = registry.begin(token, info()) else {
            Issue.record("begun twice")
            return
        }
        #expect(registry.finish(token) != nil)
        #expect(registry.finish(token) == nil)
    }

    @Test func aTaskTakesFewBytes() {
        // With an index of at most 17 bytes, a weak reference's side table of 32 and a table that is full to 95 %, this
        // keeps a task within 160 bytes.
        #expect(MemoryLayout<TokenRegistry.WeakTask>.stride <= 88)
        #expect(MemoryLayout<NetworkTaskInfo>.stride <= 72)
    }
}
