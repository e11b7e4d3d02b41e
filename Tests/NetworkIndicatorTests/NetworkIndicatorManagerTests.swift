import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

@MainActor
@Suite struct NetworkIndicatorManagerTests {
    private final class Token {}

    let scheduler = ManualScheduler()

    @Test func monitorsReceiveTheEndsAndTheFinalChangeAndAreReleased() {
        var monitor: RecordingMonitor? = RecordingMonitor()
        let isReleased = { [weak monitor] in monitor == nil }
        var manager: NetworkIndicatorManager? = .init(configuration: .immediate, scheduler: scheduler)
        manager?.attach(monitor: monitor!)
        let (task, object) = (manager?.beganNetworkTask(label: "token"), Token())
        manager?.beganNetworkTask(withToken: object, label: "object")
        scheduler.advance(by: .zero)
        manager = nil
        #expect(Set(monitor!.log.suffix(3).dropLast()) == ["ended object reset", "ended token reset"])
        #expect(monitor!.log.last == "visible false")
        monitor = nil
        scheduler.advance(by: .zero)
        #expect(isReleased())
        task?.finish()
    }

    @Test func aReleasedManagerLeavesNothing() {
        var manager: NetworkIndicatorManager? = .init(configuration: .immediate, scheduler: scheduler)
        let isReleased = { [weak tracker = manager?.tracker] in tracker == nil }
        let (indicator, object, updates) = (RecordingIndicator(), Token(), manager?.visibilityUpdates)
        manager?.attach(indicator)
        manager?.beganNetworkTask(withToken: object)
        scheduler.advance(by: .seconds(1))
        #expect(scheduler.timerCount > 0)
        manager = nil
        scheduler.advance(by: .zero)
        #expect(indicator.history == [true, false])
        #expect(isReleased() && scheduler.timerCount == 0)
        withExtendedLifetime((object, updates)) {}
    }

    @Test func opaqueTokenThatOutlivesItsManagerHasNoEffect() {
        var manager: NetworkIndicatorManager? = .init(configuration: .immediate, scheduler: scheduler)
        let isReleased = { [weak manager] in manager == nil }
        let token = manager!.beganNetworkTask()
        manager = nil
        #expect(isReleased())
        let other = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let kept = other.beganNetworkTask()
        token.finish()
        #expect(other.activeTaskCount == 1)
        kept.finish()
    }

    @Test func idleManagerHasNoTimer() {
        let manager = NetworkIndicatorManager(scheduler: scheduler)
        #expect(scheduler.timerCount == 0)
        var object: Token? = Token()
        manager.beganNetworkTask(withToken: object!)
        scheduler.advance(by: .zero)
        #expect(scheduler.timerCount == 2)
        object = nil
        scheduler.advance(by: .seconds(3))
        #expect(scheduler.timerCount == 0)
        let token = manager.beganNetworkTask()
        scheduler.advance(by: .seconds(1))
        #expect(scheduler.timerCount == 0)
        token.finish()
        scheduler.advance(by: .seconds(1))
        #expect(scheduler.timerCount == 0)
    }
}
