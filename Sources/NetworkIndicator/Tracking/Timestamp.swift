/// A moment on a scheduler's clock, as everything under the lock has it.
///
/// The layout of `SuspendingClock.Instant` is known only to the running system, so every value with one inside would be
/// measured, copied and destroyed by calls of the runtime; the layout of `Duration` is fixed.
struct Timestamp: Comparable, Sendable {
    private let sinceReference: Duration

    private static let reference = SuspendingClock().now

    init(_ instant: SuspendingClock.Instant) { sinceReference = Self.reference.duration(to: instant) }

    private init(sinceReference: Duration) { self.sinceReference = sinceReference }

    var instant: SuspendingClock.Instant { Self.reference.advanced(by: sinceReference) }

    func duration(to other: Timestamp) -> Duration { other.sinceReference - sinceReference }

    static func < (left: Timestamp, right: Timestamp) -> Bool { left.sinceReference < right.sinceReference }

    static func - (timestamp: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(sinceReference: timestamp.sinceReference - duration)
    }
}
