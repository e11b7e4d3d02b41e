import Testing

@testable import NetworkIndicator

@Suite struct TaskRegistryTests {
    @Test func aTaskTakesFewBytes() {
        #expect(MemoryLayout<WeakTask>.stride + MemoryLayout<WeakWrapper>.stride <= 128)
        #expect(MemoryLayout<TaskRecord>.stride <= 72)
    }
}
