import NetworkIndicator

/// Unlike `ManualScheduler`, this clock can be advanced on any thread, and can skip the sleeps of a call to a server.
package final class TestClock: Clock {
    private struct State {
        var now = SuspendingClock().now
        var sleepers: [(deadline: SuspendingClock.Instant, signal: Signal)] = []
    }

    private let state = Lock(State())
    private let log = Log<Duration>()
    private let skipsSleeps: Bool

    package init(skipsSleeps: Bool = false) { self.skipsSleeps = skipsSleeps }

    package var now: SuspendingClock.Instant { state.withLock(\.now) }

    package var minimumResolution: Duration { .zero }

    package var sleeps: [Duration] { log.entries }

    package func sleep(until deadline: SuspendingClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let signal = Signal()
        let duration = state.withLock { state in
            state.sleepers.append((deadline, signal))
            return state.now.duration(to: deadline)
        }
        log.add(duration)
        advance(by: skipsSleeps ? duration : .zero)
        try await signal.wait()
    }

    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due
        }
        for sleeper in due { sleeper.signal.send() }
    }

    package func sleepsBegun(_ count: Int) async { await log.reached(count) }
}
