import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

/// A call that looks at tokens holds them for a moment. Where its reference turns out to be the last, the token's
/// `deinit` runs in that call, and may take long: by then everything else has been seen to.
@Suite struct ReleaseOrderTests {
    /// Holds the token, and records the events in order.
    final class Story: Sendable {
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
        private let story: Story

        init(_ story: Story) { self.story = story }
        deinit { story.note("deinit") }
    }

    /// Releases the token while an event is delivered, as another thread could at any time.
    struct Monitor: NetworkTaskMonitor {
        let story: Story

        func networkIndicator(_ event: NetworkTaskEvent) {
            guard case .ended = event else { return }
            story.hold(nil)
            story.note("told")
        }
    }

    enum Call: CaseIterable {
        case begin
        case lookForOneLiveToken
        case lookAtEveryToken
    }

    @Test(arguments: Call.allCases)
    func whatWasLoadedIsReleasedLast(call: Call) {
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: ManualScheduler())
        let story = Story()
        var dead: Token? = Token(Story())
        // Examinations go from the last task to the first, and a begin makes two of them.
        let others = (0..<3).map { _ in Token(Story()) }
        if call == .begin {
            manager.beganNetworkTask(withToken: dead!)
            hold(beginning: Token(story), manager, story)
            manager.beganNetworkTask(withToken: others[0])
        } else {
            hold(beginning: Token(story), manager, story)
            manager.beganNetworkTask(withToken: dead!)
        }
        dead = nil  // its end is the event
        manager.addMonitor(Monitor(story: story))
        switch call {
        case .begin: others.dropFirst().forEach { manager.beganNetworkTask(withToken: $0) }
        case .lookForOneLiveToken: _ = manager.hasActiveTasks
        case .lookAtEveryToken: _ = manager.activeTaskCount
        }
        #expect(story.lines.first == "told")
        #expect(story.lines.last == "deinit")
    }

    /// A separate function, so that no other reference to the token remains.
    private func hold(beginning token: Token, _ manager: NetworkIndicatorManager, _ story: Story) {
        manager.beganNetworkTask(withToken: token)
        story.hold(token)
    }
}
