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
}
