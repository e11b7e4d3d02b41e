import Dispatch
import NetworkIndicator

/// Checks the time limits of all exchanges with one timer. A timer for each exchange took 6 % of the CPU time of small
/// downloads.
enum ExchangeTimer {
    private struct State {
        var exchanges: [ObjectIdentifier: Exchange] = [:]
        /// The time of the next check.
        var next = DispatchTime.distantFuture
    }

    private static let state = Lock(State())
    /// The queue on which timers fire, even while every thread of the cooperative pool is blocked.
    static let queue = DispatchQueue(label: "NetworkIndicator.Exchange")

    /// Checks the limits of an exchange until ``remove(_:)``.
    static func add(_ exchange: Exchange) {
        state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = exchange }
        schedule(after: exchange.checkTime())
    }

    /// - Parameter exchange: The exchange, which the caller still owns.
    static func remove(_ exchange: Exchange) {
        state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = nil }
    }

    /// Schedules a check, unless an earlier check is scheduled.
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

    /// Checks all exchanges, unless another check has replaced this one.
    private static func check(at time: DispatchTime) {
        let exchanges = state.withLock { state in
            guard state.next == time else { return [] as [Exchange] }
            state.next = .distantFuture
            return Array(state.exchanges.values)
        }
        schedule(after: exchanges.compactMap { $0.checkTime() }.min())
    }
}
