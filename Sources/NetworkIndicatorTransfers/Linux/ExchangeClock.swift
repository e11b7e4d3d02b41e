import Foundation
import NetworkIndicator

/// The limits for the time of an exchange.
///
/// On Linux it replaces URLSession's timeout, which also expires while reading is suspended because a disk or a handler
/// is slow. In that case the server isn't silent, but nothing reads what it sends.
struct ExchangeClock {
    typealias Instant = SuspendingClock.Instant

    enum Verdict: Equatable {
        /// The server has sent nothing for as long as the timeout.
        case silent
        /// The exchange has taken longer than its limit.
        case tooLong
        /// Check again after this time.
        case wait(Duration)
    }

    /// Whether the caller is deciding about a challenge or a redirect, or the file of an upload is read.
    var isPaused = false
    private let limit: Duration
    /// `nil` where URLSession's own timeout applies.
    private let timeout: Duration?
    private let began = Instant.now
    /// When the server was active, by the session's clock of reading.
    private var active: Instant

    /// The shortest and the longest time between two checks.
    private static let pauses = Duration.milliseconds(50) ... .seconds(86_400)

    /// - Parameters:
    ///   - limit: How long the exchange may take.
    ///   - timeout: How long the server may be silent, in seconds.
    ///   - readingTime: The time by the session's clock of reading.
    init(_ limit: Duration, _ timeout: TimeInterval, _ readingTime: Instant) {
        self.limit = limit
        active = readingTime
        self.timeout = Transport.replacesTimeout ? .seconds(timeout) : nil
    }

    mutating func noteActivity(at readingTime: Instant) { active = readingTime }

    /// - Parameter deliveryTime: Until when the server's silence is known, by the session's clock of reading.
    func check(_ deliveryTime: Instant, at now: Instant = .now) -> Verdict {
        var rest = limit - began.duration(to: now)
        guard rest > .zero else { return .tooLong }
        if let timeout {
            let silence = isPaused ? .zero : max(.zero, active.duration(to: deliveryTime))
            guard silence < timeout else { return .silent }
            rest = min(rest, timeout - silence)
        }
        return .wait(rest.clamped(to: Self.pauses))
    }
}
