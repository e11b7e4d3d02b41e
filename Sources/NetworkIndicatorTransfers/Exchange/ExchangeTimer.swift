import Dispatch
import NetworkIndicator

/// Calls exchanges whose time may be over. They share a timer, because each new one would wake two threads: without
/// this type, 400 small downloads took 1.3 times as much CPU time.
///
/// On this queue, the checks run even while every thread of the cooperative pool is blocked.
enum ExchangeTimer {
    typealias Instant = SuspendingClock.Instant

    private struct Check {
        let time: Instant
        weak var exchange: Exchange?
    }

    private struct State {
        var checks: [Check] = []
        /// The time at which the queue calls the exchanges next.
        var next: Instant?
    }

    private static let state = Lock(State())
    private static let queue = DispatchQueue(label: "NetworkIndicator.ExchangeTimer")
    private static let shortestPause = Duration.milliseconds(50)

    static func schedule(_ exchange: Exchange, after delay: Duration) {
        // The entry remains for this time even if the exchange ends earlier.
        let delay = delay.clamped(to: shortestPause ... .seconds(600))
        add([Check(time: .now.advanced(by: delay), exchange: exchange)])
    }

    private static func add(_ checks: [Check]) {
        guard let first = checks.map(\.time).min() else { return }
        let time = max(first, .now.advanced(by: shortestPause))
        let isNext = state.withLock { state in
            state.checks += checks
            if let next = state.next, next <= time { return false }
            state.next = time
            return true
        }
        guard isNext else { return }
        queue.asyncAfter(deadline: .now() + Instant.now.duration(to: time).timeInterval) { perform(at: time) }
    }

    private static func perform(at time: Instant) {
        let checks = state.withLock { state -> [Check] in
            // An earlier time has replaced this one.
            guard state.next == time else { return [] }
            state.next = nil
            defer { state.checks = [] }
            return state.checks
        }
        let now = Instant.now
        for check in checks where check.time <= now { check.exchange?.checkTime() }
        add(checks.filter { $0.time > now && $0.exchange != nil })
    }
}
