import Dispatch
import NetworkIndicator

/// All exchanges share one timer, because a timer per exchange took 6 % of the CPU time of small downloads.
enum ExchangeTimer {
    private struct State {
        var exchanges: [ObjectIdentifier: Exchange] = [:]
        var next = DispatchTime.distantFuture
    }

    private static let state = Lock(State())
    /// Timers fire on this queue even while every thread of the cooperative pool is blocked.
    static let queue = DispatchQueue(label: "NetworkIndicator.Exchange")

    static func add(_ exchange: Exchange) {
        state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = exchange }
        schedule(after: exchange.checkTime())
    }

    /// The caller retains the exchange, so the removal doesn't deallocate it while the lock is held.
    static func remove(_ exchange: Exchange) {
        state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = nil }
    }

    private static func schedule(after delay: Duration?) {
        guard let delay else { return }
        let time = DispatchTime.now() + delay.timeInterval
        let isNext = state.withLock { state in
            guard time < state.next else { return false }
            state.next = time
            return true
        }
        if isNext { queue.asyncAfter(deadline: time) { check(at: time) } }
    }

    /// Does nothing if a check at an earlier time has replaced this one.
    private static func check(at time: DispatchTime) {
        let exchanges = state.withLock { state in
            guard state.next == time else { return [] as [Exchange] }
            state.next = .distantFuture
            return Array(state.exchanges.values)
        }
        schedule(after: exchanges.compactMap { $0.checkTime() }.min())
    }
}
