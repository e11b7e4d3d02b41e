import TestSupport
import Testing

@testable import NetworkIndicator

@Suite struct TaskRegistryTests {
    final class Token {}

    private func record(in registry: inout TaskRegistry) -> TaskRecord {
        registry.makeRecord(
            label: nil, tokenType: Token.self, origin: CallSite(fileID: #fileID, line: #line),
            at: Timestamp(SuspendingClock().now))
    }

    private func begin(_ token: Token, in registry: inout TaskRegistry) -> UInt64? {
        let task = record(in: &registry)
        return registry.begin(token, task, while: nil).isNew ? task.id : nil
    }

    private func beginExplicit(in registry: inout TaskRegistry) -> ExplicitTasks.Handle {
        registry.explicitTasks.insert(record(in: &registry))
    }

    @Test(arguments: [20, 3000]) func weakTasksAreADictionary(tokenCount: Int) {
        var generator = SeededGenerator(seed: 1)
        var registry = TaskRegistry()
        var tokens = (0..<tokenCount).map { _ in Token() }
        var reference: [ObjectIdentifier: UInt64] = [:]
        for step in 0..<30_000 {
            let index = Int.random(in: tokens.indices, using: &generator)
            let key = ObjectIdentifier(tokens[index])
            if (Int.random(in: 0..<4, using: &generator) == 0) != (step < 15_000), reference[key] == nil {
                reference[key] = begin(tokens[index], in: &registry)
                #expect(reference[key] != nil)
            } else {
                let finished = registry.finish(tokens[index], checksToken: true)
                #expect(finished?.task.record.id == reference.removeValue(forKey: key))
                #expect(finished?.isDeallocated != true)
                if step.isMultiple(of: 3) { tokens[index] = Token() }
            }
            #expect(registry.weakCount == reference.count)
        }
        #expect(registry.records.map(\.id).sorted() == reference.values.sorted())
    }

    @Test(arguments: [1, 2, 64, 1000]) func explicitTasksKeepTheirSlots(count: Int) {
        var registry = TaskRegistry()
        for round in 0..<4 {
            let handles = (0..<count).map { _ in beginExplicit(in: &registry) }
            #expect(registry.explicitTasks.records.count == count)
            for handle in round.isMultiple(of: 2) ? handles : handles.shuffled() {
                #expect(registry.explicitTasks.remove(handle)?.id == handle.id)
                #expect(registry.explicitTasks.remove(handle) == nil)
            }
            #expect(registry.explicitTasks.isEmpty)
        }
    }

    @Test func handleOfAFinishedTaskFindsNoOtherTaskInItsSlot() {
        var registry = TaskRegistry()
        let stale = beginExplicit(in: &registry)
        _ = registry.explicitTasks.remove(stale)
        let handle = beginExplicit(in: &registry)
        #expect(handle.slot == stale.slot)
        #expect(registry.explicitTasks.remove(stale) == nil)
        #expect(registry.explicitTasks.remove(handle)?.id == handle.id)
        _ = registry.removeAll()
        #expect(registry.explicitTasks.remove(handle) == nil)
    }

    @Test func aTaskThatBeginsAgainKeepsItsEntry() {
        var registry = TaskRegistry()
        let token = Token()
        let id = begin(token, in: &registry)
        let loaded = registry.load(at: 0).handle
        #expect(begin(token, in: &registry) == nil)
        #expect(registry.remove(loaded) == nil)
        #expect(registry.remove(registry.load(at: 0).handle)?.record.id == id)
    }

    @Test func aTaskTakesFewBytes() {
        #expect(MemoryLayout<WeakTask>.stride + MemoryLayout<WeakWrapper>.stride <= 128)
        #expect(MemoryLayout<TaskRecord>.stride <= 72)
    }
}
