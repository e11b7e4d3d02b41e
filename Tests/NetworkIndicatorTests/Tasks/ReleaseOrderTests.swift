import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

/// A call that examines tokens holds them for a moment. If its reference is the last one, the token's `deinit` runs in
/// this call, and may be slow. So the call must finish all other work before it releases tokens.
@MainActor
@Suite struct ReleaseOrderTests {
    /// Holds the token, and records the events in order.
    final class Scenario: Sendable {
        private let log = Lock<[String]>([])
        private let holder = Lock<Token?>(nil)

        var lines: [String] { log.withLock { $0 } }

        func note(_ line: String) { log.withLock { $0.append(line) } }

        func hold(_ token: Token?) {
            let released = holder.withLock { holder in
                defer { holder = token }
                return holder
            }
            withExtendedLifetime(released) {}
        }
    }

    final class Token: Sendable {
        private let scenario: Scenario

        init(_ scenario: Scenario) { self.scenario = scenario }
        deinit { scenario.note("deinit") }
    }

    /// Releases the token while an event is delivered, as another thread could at any time.
    struct Monitor: NetworkTaskMonitor {
        let scenario: Scenario

        func networkIndicator(_ event: NetworkTaskEvent) {
            guard case .ended = event else { return }
            scenario.hold(nil)
            scenario.note("notified")
        }
    }

    enum Call: CaseIterable {
        case findOneLiveToken
        case examineEveryToken
    }

    @Test(arguments: Call.allCases)
    func loadedTokensAreReleasedLast(call: Call) {
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: ManualScheduler())
        let scenario = Scenario()
        var dead: Token? = Token(Scenario())
        manager.beganNetworkTask(withToken: dead!)
        hold(beginning: Token(scenario), manager, scenario)
        dead = nil  // its end is the event
        manager.attach(Monitor(scenario: scenario))
        switch call {
        case .findOneLiveToken: _ = manager.hasActiveTasks
        case .examineEveryToken: _ = manager.activeTaskCount
        }
        #expect(scenario.lines.first == "notified")
        #expect(scenario.lines.last == "deinit")
    }

    /// A separate function, so that no other reference to the token remains.
    private func hold(beginning token: Token, _ manager: NetworkIndicatorManager, _ scenario: Scenario) {
        manager.beganNetworkTask(withToken: token)
        scenario.hold(token)
    }
}
