import Dispatch
import NetworkIndicator

/// All exchanges share one timer, because a timer per exchange took 6 % of the CPU time of small downloads.
enum ExchangeTimer {
    // `@unchecked Sendable`: timer sources are thread-safe, but Linux's Dispatch doesn't mark them `Sendable`.
    private struct State: @unchecked Sendable {
        var exchanges: [ObjectIdentifier: Exchange] = [:]
        var next = DispatchTime.distantFuture
        let timer = DispatchSource.makeTimerSource(queue: queue)

        init() {
            timer.setEventHandler { check() }
            timer.activate()
        }
    }

    private static let state = Lock(State())
    /// On this queue, the timer fires even while every thread of the cooperative pool is blocked.
    static let queue = DispatchQueue(label: "NetworkIndicator.Exchange")

    static func add(_ exchange: Exchange) {
        state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = exchange }
        schedule(after: exchange.checkTime())
    }

    /// The caller retains the exchange, so the removal doesn't deallocate it while the lock is held.
    static func remove(_ exchange: Exchange) {
        state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = nil }
    }

    static func schedule(after delay: Duration?) {
        guard let delay else { return }
        let time = DispatchTime.now() + delay.timeInterval
        state.withLock { state in
            guard time < state.next else { return }
            state.next = time
            state.timer.schedule(deadline: time)
        }
    }

    private static func check() {
        let exchanges = state.withLock { state in
            state.next = .distantFuture
            return Array(state.exchanges.values)
        }
        schedule(after: exchanges.compactMap { $0.checkTime() }.min())
    }
}
