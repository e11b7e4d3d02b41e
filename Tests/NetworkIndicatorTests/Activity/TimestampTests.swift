import Testing

@testable import NetworkIndicator

@Suite struct TimestampTests {
    @Test func keepsInstantsToTheNanosecond() {
        let now = SuspendingClock().now
        #expect(Timestamp(now).instant == now)
        #expect(Timestamp(now).duration(to: Timestamp(now.advanced(by: .nanoseconds(1)))) == .nanoseconds(1))
    }
}
