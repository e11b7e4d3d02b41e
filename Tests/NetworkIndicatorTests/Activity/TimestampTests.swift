import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

@MainActor
@Suite struct TimestampTests {
    @Test func keepsInstantsToTheNanosecond() {
        let now = SuspendingClock().now
        #expect(Timestamp(now).instant == now)
        #expect(Timestamp(now).duration(to: Timestamp(now.advanced(by: .nanoseconds(1)))) == .nanoseconds(1))
    }

    @Test(arguments: [false, true]) func tasksBeginAtTheExactTime(isMonitored: Bool) {
        let manager = NetworkIndicatorManager()
        let monitor = RecordingMonitor()
        if isMonitored { manager.attach(monitor: monitor) }
        let before = SuspendingClock().now
        let tokens = (1...100).map { _ in manager.beganNetworkTask() }
        let after = SuspendingClock().now
        let begins = manager.activeTasks.map(\.began)
        #expect(begins.count == 100 && begins.allSatisfy { before <= $0 && $0 <= after })
        if isMonitored { #expect(begins == begins.sorted()) }
        withExtendedLifetime(tokens) {}
    }
}
