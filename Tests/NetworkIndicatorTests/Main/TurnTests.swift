import NetworkIndicatorTestKit
import Observation
import Testing

@testable import NetworkIndicator

@MainActor
@Suite(.timeLimit(.minutes(10)))
final class TurnTests: ManagerSuite {
    @Test(arguments: ["deinit", "observer"])
    func foreignCodeDoesNotHoldUpEvents(code: String) throws {
        let (manager, monitor, seen) = (manager, RecordingMonitor(), Lock<[[String]]>([]))
        manager.attach(monitor: monitor)
        let check: @Sendable () -> Void = {
            manager.withNetworkTask(label: "B") {}
            seen.withLock { $0.append(monitor.log) }
        }
        let held = Lock<EndingToken?>(nil)
        let isOver = Lock(false)
        var token: EndingToken? = EndingToken(code == "deinit" ? check : nil)
        held.withLock { $0 = token }
        manager.beganNetworkTask(withToken: token!, label: "A") { _ in
            guard isOver.withLock({ $0 }) else { return true }
            let released = held.withLock { $0.take() }
            withExtendedLifetime(released) {}
            return false
        }
        token = nil
        settle()
        #expect(manager.isIndicatorVisible)
        if code == "observer" {
            withObservationTracking {
                _ = manager.isIndicatorVisible
            } onChange: {
                check()
            }
        }
        isOver.withLock { $0 = true }
        scheduler.advance(by: .milliseconds(50))
        let log = try #require(seen.withLock { $0.first })
        #expect(log.contains("ended A finished") && log.contains("began B") && log.contains("ended B finished"))
    }

    private final class EndingToken: Sendable {
        private let end: (@Sendable () -> Void)?
        init(_ end: (@Sendable () -> Void)?) { self.end = end }
        deinit { end?() }
    }
}
