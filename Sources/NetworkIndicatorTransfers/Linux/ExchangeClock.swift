import Foundation
import NetworkIndicator

/// On Linux, this type replaces the request timeout (`timeoutInterval`) of URLSession. That timeout ignores fractions
/// of a second, and also expires while a slow disk or delegate delays reading (no issue has been filed for either
/// fault). When both faults are fixed, delete `timeout`, `active` and `isPaused`.
struct ExchangeClock {
    typealias Instant = SuspendingClock.Instant

    enum Verdict: Equatable {
        case silent
        case tooLong
        case wait(Duration)
    }

    var isPaused = false
    private let limit: Duration
    private let timeout: Duration?
    private let began = Instant.now
    /// The ``Transport/readingTime`` of the last activity.
    private var active: Instant

    private static let pauses = Duration.milliseconds(50) ... .seconds(86_400)

    init(_ limit: Duration, _ timeout: TimeInterval, _ readingTime: Instant) {
        self.limit = limit
        active = readingTime
        self.timeout = Transport.replacesTimeout ? .seconds(timeout) : nil
    }

    mutating func noteActivity(at readingTime: Instant) { active = readingTime }

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
