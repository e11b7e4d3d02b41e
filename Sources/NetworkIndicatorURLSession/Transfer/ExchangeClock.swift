import Foundation
import NetworkIndicator

/// The limits for the time of an exchange.
///
/// On Linux it replaces URLSession's timeout, which also expires while reading is suspended because a disk or a handler
/// is slow. In that case the server isn't silent, but nothing reads what it sends.
struct ExchangeClock {
    typealias Instant = SuspendingClock.Instant
    typealias Period = (start: Instant?, end: Instant)

    enum Verdict: Equatable {
        /// The server has sent nothing for as long as the timeout.
        case silent
        /// The exchange has taken longer than its limit.
        case tooLong(Duration)
        /// Check again after this time.
        case wait(Duration)
    }

    /// Whether the caller is deciding about a challenge or a redirect.
    var isPaused = false
    private let limit: Duration
    /// `nil` where URLSession's own timeout applies.
    private let timeout: Duration?
    private let began = Instant.now
    private var active = Instant.now

    /// The shortest and the longest time between two checks.
    private static let pauses = Duration.milliseconds(50) ... .seconds(86_400)

    /// - Parameters:
    ///   - limit: How long the exchange may take.
    ///   - timeout: How long the server may be silent, in seconds.
    init(limit: Duration, timeout: TimeInterval) {
        self.limit = limit
        #if canImport(FoundationNetworking)
        self.timeout = .seconds(timeout)
        #else
        self.timeout = nil
        #endif
    }

    mutating func noteActivity() { active = .now }

    /// - Parameter observed: The period in which the server's silence is known; `nil` if it is always known.
    func check(_ observed: Period?, at now: Instant = .now) -> Verdict {
        var rest = limit - began.duration(to: now)
        guard rest > .zero else { return .tooLong(limit) }
        if let timeout {
            let start = max(active, observed?.start ?? active)
            let silence = isPaused ? .zero : max(.zero, start.duration(to: observed?.end ?? now))
            guard silence < timeout else { return .silent }
            rest = min(rest, timeout - silence)
        }
        return .wait(rest.clamped(to: Self.pauses))
    }
}
