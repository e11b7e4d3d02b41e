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
    typealias Call = (block: @Sendable () -> Void, added: Instant)

    struct State {
        /// The pending calls share one operation, because an operation for each call would be expensive. An operation
        /// that isn't a call must not be added, because it could wait for any number of calls.
        var calls: [Call] = []
        var readingQueue: DispatchQueue?
        var suspended: (queue: DispatchQueue, since: Instant)?
        var pauses = Duration.zero

        var readingTime: Instant { (suspended?.since ?? .now) - pauses }
    }

    let state = Lock(State())

    /// The number of pending calls at which reading is suspended. A call usually delivers at most 16 KiB. Up to
    /// 100 more calls can arrive before the suspension takes effect.
    static let limit = 16

    override init() {
        super.init()
        maxConcurrentOperationCount = 1
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        let needsOperation = state.withLock { state in
            state.calls.append((block, state.readingTime))
            if state.calls.count >= Self.limit, state.suspended == nil, let queue = state.readingQueue {
                // The suspension takes effect when the current block of the queue ends.
                queue.suspend()
                state.suspended = (queue, .now)
            }
            return state.calls.count == 1
        }
        guard needsOperation else { return }
        super.addOperation { [self] in
            var next = state.withLock(\.calls.first)
            while let call = next {
                call.block()
                next = removeFirst()
            }
        }
    }

    private func removeFirst() -> Call? {
        // The call is released outside the lock, because releasing it can run other code.
        let (removed, next, suspended) = state.withLock { state in
            let removed = state.calls.removeFirst()
            let suspended = state.calls.count <= Self.limit / 2 ? state.suspended.take() : nil
            if let suspended { state.pauses += suspended.since.duration(to: .now) }
            return (removed, state.calls.first, suspended?.queue)
        }
        withExtendedLifetime(removed) {}
        suspended?.resume()
        return next
    }

    /// The time of a clock that stops while reading is suspended, because a suspension must not count as server
    /// inactivity.
    var readingTime: Instant { state.withLock(\.readingTime) }

    /// The latest ``readingTime`` up to which the delegate has received everything that the session has read.
    var deliveryTime: Instant { state.withLock { $0.calls.first?.added ?? $0.readingTime } }
}
#endif
