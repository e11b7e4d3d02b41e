import Foundation
import NetworkIndicator

/// Checks the time limits of an exchange.
///
/// On Linux, this clock replaces URLSession's timeout. A slow disk or handler suspends reading, and URLSession's
/// timeout would expire meanwhile even if the server is sending data.
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

    /// Whether the timeout is paused, because the caller is deciding about a challenge or a redirect, or an upload's
    /// file is being read.
    var isPaused = false
    private let limit: Duration
    /// The longest silence of the server, or `nil` where URLSession's own timeout applies.
    private let timeout: Duration?
    private let began = Instant.now
    /// The time of the server's last activity, by the session's reading clock.
    private var active: Instant

    /// The shortest and longest time between two checks.
    private static let pauses = Duration.milliseconds(50) ... .seconds(86_400)

    /// - Parameters:
    ///   - limit: The longest time that the exchange may take.
    ///   - timeout: The longest time for which the server may be silent, in seconds.
    ///   - readingTime: The current time of the session's reading clock.
    init(_ limit: Duration, _ timeout: TimeInterval, _ readingTime: Instant) {
        self.limit = limit
        active = readingTime
        self.timeout = Transport.replacesTimeout ? .seconds(timeout) : nil
    }

    mutating func noteActivity(at readingTime: Instant) { active = readingTime }

    /// - Parameter deliveryTime: The time, by the session's reading clock, up to which all received data has been
    ///   delivered.
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
