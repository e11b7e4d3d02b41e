#if canImport(FoundationNetworking)
import Foundation
import NetworkIndicator

/// Suspends the queue on which a session reads while too many delegate calls are pending.
///
/// URLSession on Linux queues a delegate call for each piece of received data, without a limit
/// (swift-corelibs-foundation #3204). If the disk is slower than the network, the queued data can exhaust memory. While
/// data arrives as fast as URLSession reads it, URLSession processes no cancellations (no issue has been filed).
/// When both faults are fixed, delete this type.
///
/// `@unchecked Sendable`: a lock guards the state that this class adds to its superclass.
final class BoundedDelegateQueue: OperationQueue, @unchecked Sendable {
    typealias Instant = SuspendingClock.Instant

    struct State {
        /// The reading times at which the pending calls were added.
        var pending: [Instant] = []
        var readingQueue: DispatchQueue?
        var suspended: (queue: DispatchQueue, since: Instant)?
        var pauses = Duration.zero

        var readingTime: Instant { (suspended?.since ?? .now) - pauses }
    }

    let state = Lock(State())
    /// An operation for each call would be expensive.
    private let calls = DispatchQueue(label: "NetworkIndicator.BoundedDelegateQueue")

    /// The number of pending calls at which reading is suspended. A call usually delivers at most 16 KiB. Up to
    /// 100 more calls can arrive before the suspension takes effect.
    static let limit = 16

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.pending.append(state.readingTime)
            if state.pending.count >= Self.limit, state.suspended == nil, let queue = state.readingQueue {
                // The suspension takes effect when the current block of the queue ends.
                queue.suspend()
                state.suspended = (queue, .now)
            }
        }
        calls.async { [self] in
            block()
            let suspended = state.withLock { state in
                state.pending.removeFirst()
                let suspended = state.pending.count <= Self.limit / 2 ? state.suspended.take() : nil
                if let suspended { state.pauses += suspended.since.duration(to: .now) }
                return suspended
            }
            suspended?.queue.resume()
        }
    }

    /// The time of a clock that stops while reading is suspended, because a suspension must not count as server
    /// inactivity.
    var readingTime: Instant { state.withLock(\.readingTime) }

    /// The latest ``readingTime`` up to which the delegate has received everything that the session has read.
    var deliveryTime: Instant { state.withLock { $0.pending.first ?? $0.readingTime } }
}
#endif
