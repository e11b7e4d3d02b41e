import NetworkIndicatorTestKit
import Testing

@MainActor
@Suite struct ManualSchedulerTests {
    @Test func anOuterAdvanceRunsWhatANestedOneHasMadeDue() {
        let scheduler = ManualScheduler()
        var log: [String] = []
        scheduler.performOnMain {
            scheduler.advance(by: .seconds(2))
            scheduler.performOnMain { MainActor.assumeIsolated { log.append("later") } }
        }
        scheduler.advance(by: .seconds(1))
        #expect(log == ["later"])
    }
}
