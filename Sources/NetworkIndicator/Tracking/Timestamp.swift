#if os(Linux)
import Foundation
#endif

/// A moment on a scheduler's clock, as everything under the lock has it.
///
/// The layout of `SuspendingClock.Instant` is known only to the running system, so every value with one inside would be
/// measured, copied and destroyed by calls of the runtime; the layout of `Duration` is fixed.
struct Timestamp: Comparable, Sendable {
    private let sinceReference: Duration

    #if os(Linux) && compiler(>=6.3)
    /// Zero on the clock that `SuspendingClock` reads here.
    private static let reference = SuspendingClock().systemEpoch

    /// The present time on `SuspendingClock`, read where that reads it: its `now` takes half as long again.
    @inline(__always)
    static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Timestamp(sinceReference: .nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)))
    }

    /// The time of the kernel's last tick: mostly less than 4 ms ago, with some kernels 10 ms. It is read in a quarter of
    /// the time.
    @inline(__always)
    static var recent: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Timestamp(sinceReference: .nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)))
    }
    #else
    private static let reference = SuspendingClock().now

    /// The present time on `SuspendingClock`.
    static var now: Timestamp { Timestamp(SuspendingClock().now) }

    /// The present time: it is cheap here.
    static var recent: Timestamp { now }
    #endif

    init(_ instant: SuspendingClock.Instant) { sinceReference = Self.reference.duration(to: instant) }

    private init(sinceReference: Duration) { self.sinceReference = sinceReference }

    var instant: SuspendingClock.Instant { Self.reference.advanced(by: sinceReference) }

    func duration(to other: Timestamp) -> Duration { other.sinceReference - sinceReference }

    static func < (left: Timestamp, right: Timestamp) -> Bool { left.sinceReference < right.sinceReference }

    static func - (timestamp: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(sinceReference: timestamp.sinceReference - duration)
    }
}
