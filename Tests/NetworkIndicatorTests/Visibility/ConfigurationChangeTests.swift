import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@MainActor
@Suite struct ConfigurationChangeTests {
    let scheduler = ManualScheduler()

    @Test func aLongerHideDelayDoesNotContinueAnEndedBusyPeriod() {
        var configuration = NetworkIndicatorManager.Configuration.immediate
        configuration.showDelay = .milliseconds(100)
        let manager = NetworkIndicatorManager(configuration: configuration, scheduler: scheduler)
        let first = manager.beganNetworkTask()
        scheduler.advance(by: .milliseconds(90))
        first.finish()
        manager.updateConfiguration { $0.hideDelay = .milliseconds(300) }
        let second = manager.beganNetworkTask()
        scheduler.advance(by: .milliseconds(99))
        #expect(!manager.isIndicatorVisible)
        scheduler.advance(by: .milliseconds(1))
        #expect(manager.isIndicatorVisible)
        second.finish()
    }
}
