import Dispatch
import Foundation
import NetworkIndicator

/// The limits for the time of an exchange. Its owner's lock guards it.
///
/// On Linux it replaces URLSession's timeout, which also expires while reading is suspended because a disk or a handler
/// is slow. The server isn't silent then: nothing listens to it.
struct ExchangeClock {
    enum Verdict: Equatable {
        /// The server has sent nothing for the timeout.
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
    private var began = DispatchTime.now()
    private var active = DispatchTime.now()
    private var timer: (any DispatchSourceTimer)?

    /// The shortest time between two checks.
    private static let interval: Duration = .milliseconds(50)
    private static let queue = DispatchQueue(label: "NetworkIndicator.Exchange")

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

    mutating func start() {
        began = .now()
        active = began
    }

    mutating func noteActivity() { active = .now() }

    /// - Parameter observed: The period in which a silence of the server is known.
    func check(_ observed: (start: DispatchTime, end: DispatchTime)?, at now: DispatchTime = .now()) -> Verdict {
        let elapsed = Self.time(from: began, to: now)
        guard elapsed < limit else { return .tooLong(limit) }
        var rest = limit - elapsed
        if let timeout {
            let silence =
                isPaused ? .zero : Self.time(from: max(active, observed?.start ?? active), to: observed?.end ?? now)
            guard silence < timeout else { return .silent }
            rest = min(rest, timeout - silence)
        }
        return .wait(max(Self.interval, rest))
    }

    private static func time(from start: DispatchTime, to end: DispatchTime) -> Duration {
        end > start ? .nanoseconds(end.uptimeNanoseconds - start.uptimeNanoseconds) : .zero
    }

    mutating func arm(after time: Duration, _ handler: @escaping @Sendable () -> Void) {
        let deadline = DispatchTime.now() + min(time, .seconds(86_400)) / .seconds(1)
        if let timer {
            timer.schedule(deadline: deadline)
            return
        }
        let timer = DispatchSource.makeTimerSource(queue: Self.queue)
        timer.setEventHandler(handler: handler)
        timer.schedule(deadline: deadline)
        timer.activate()
        self.timer = timer
    }

    mutating func stop() {
        timer?.cancel()
        timer = nil
    }
}
