import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

final class Token {}

@MainActor
@Suite struct SmokeTests {
    let scheduler = ManualScheduler()

    @Test func weakTokenStory() {
        let manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        let indicator = RecordingIndicator()
        manager.attach(indicator)
        var token: Token? = Token()
        manager.beganNetworkTask(withToken: token!)
        scheduler.advance(by: .milliseconds(99))
        #expect(indicator.history.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        #expect(indicator.history == [true])
        token = nil
        scheduler.advance(by: .milliseconds(900))
        #expect(manager.isIndicatorVisible)
        scheduler.advance(by: .milliseconds(299))
        #expect(manager.isIndicatorVisible)
        scheduler.advance(by: .milliseconds(1))
        #expect(indicator.history == [true, false])
        #expect(scheduler.timerCount == 0)
    }
}
