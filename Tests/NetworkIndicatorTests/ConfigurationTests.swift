import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

@MainActor
@Suite final class ConfigurationTests: ManagerSuite {
    @Test func settingsAreClamped() {
        var configuration = NetworkIndicatorManager.Configuration.standard
        configuration.completionCheckInterval = .milliseconds(1)
        #expect(configuration.completionCheckInterval == .milliseconds(10))
        configuration.completionCheckInterval = .seconds(Int64.max)
        #expect(configuration.completionCheckInterval == .longest)
        configuration.showDelay = .seconds(-1)
        configuration.hideDelay = .seconds(Int64.min)
        configuration.minimumVisibleDuration = .nanoseconds(-1)
        #expect(configuration.showDelay == .zero)
        #expect(configuration.hideDelay == .zero)
        #expect(configuration.minimumVisibleDuration == .zero)
        configuration.longRunningTaskThreshold = .seconds(Int64.max)
        #expect(configuration.longRunningTaskThreshold == .longest)
        configuration.longRunningTaskThreshold = nil
        #expect(configuration.longRunningTaskThreshold == nil)
        manager.completionCheckInterval = .zero
        #expect(manager.configuration.completionCheckInterval == .milliseconds(10))
    }

    @Test func longestSettingsNeitherTrapNorFire() {
        let object = Token()
        manager.updateConfiguration {
            $0.showDelay = .seconds(Int64.max)
            $0.hideDelay = .seconds(Int64.max)
            $0.minimumVisibleDuration = .seconds(Int64.max)
            $0.completionCheckInterval = .seconds(Int64.max)
        }
        manager.beganNetworkTask(withToken: object)
        scheduler.advance(by: .seconds(1000))
        #expect(!manager.isIndicatorVisible)
        let real = MainScheduler()
        let timers = [nil, Duration.longest].map {
            real.schedule(at: real.now.advanced(by: .longest), repeatingEvery: $0) { Issue.record("fired") }
        }
        timers.forEach { $0.cancel() }
    }

    @Test func changesAreAtomic() async {
        let manager = manager
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 { manager.updateConfiguration { $0.showDelay += .milliseconds(1) } }
                }
            }
        }
        #expect(manager.configuration.showDelay == .milliseconds(4000))
    }
}
