import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

@Suite struct TimestampTests {
    /// Readings in turn never run backwards, so both are of one clock, with one zero.
    @Test func readsTheClockOfSuspendingClock() {
        for _ in 0..<1000 {
            let before = SuspendingClock().now
            let now = Timestamp.now
            let after = SuspendingClock().now
            #expect(before <= now.instant && now.instant <= after)
            #expect(Timestamp(before) <= now && now <= Timestamp(after))
        }
    }

    @Test func keepsInstantsToTheNanosecond() {
        let now = SuspendingClock().now
        #expect(Timestamp(now).instant == now)
        #expect(Timestamp(now).duration(to: Timestamp(now.advanced(by: .nanoseconds(1)))) == .nanoseconds(1))
    }

    @Test func recentTimeIsNeverAheadOfTheClock() {
        for _ in 0..<1000 {
            let recent = Timestamp.recent
            let now = Timestamp.now
            #expect(recent <= now && recent.duration(to: now) < .seconds(10))
        }
    }

    /// The first task's beginning decides when the indicator goes on, and monitors record every one.
    @Test(arguments: [false, true]) func tasksBeginExactlyWhereItMatters(isMonitored: Bool) {
        let manager = NetworkIndicatorManager()
        let monitor = RecordingMonitor()
        if isMonitored { manager.addMonitor(monitor) }
        let before = SuspendingClock().now
        let tokens = (1...100).map { _ in manager.beganNetworkTask() }
        let after = SuspendingClock().now
        let begins = manager.activeTasks.map(\.began)
        #expect(begins.count == 100 && begins.allSatisfy { before <= $0 && $0 <= after })
        if isMonitored { #expect(begins == begins.sorted()) }
        withExtendedLifetime(tokens) {}
    }
}
