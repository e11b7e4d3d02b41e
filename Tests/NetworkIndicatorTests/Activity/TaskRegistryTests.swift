import Testing

@testable import NetworkIndicator

@Suite struct TaskRegistryTests {
    private func beginExplicit(in registry: inout TaskRegistry) -> ExplicitTasks.Handle {
        let origin = CallSite(fileID: #fileID, line: #line)
        let record = registry.makeRecord(label: nil, tokenType: Self.self, origin: origin, at: .zero)
        return registry.explicitTasks.insert(record)
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

    @Test func aTaskTakesFewBytes() {
        #expect(MemoryLayout<WeakTask>.stride + MemoryLayout<WeakWrapper>.stride <= 128)
        #expect(MemoryLayout<TaskRecord>.stride <= 72)
    }
}
