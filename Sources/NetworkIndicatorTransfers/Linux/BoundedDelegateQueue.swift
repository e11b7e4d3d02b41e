#if canImport(FoundationNetworking)
import Foundation
import NetworkIndicator

/// The serial queue on which a session calls its delegate, with a limit on pending calls.
///
/// On Linux, URLSession adds a call for each piece of received data, without a limit (swift-corelibs-foundation #3204).
/// If the disk is slower than the network, pending data fills the memory. While data arrives as fast as URLSession
/// reads it, URLSession also doesn't process cancellations. Therefore, while too many calls are pending, this queue
/// suspends the queue on which the session reads.
///
/// `@unchecked Sendable`: a lock guards the state that this class adds to its superclass.
final class BoundedDelegateQueue: OperationQueue, @unchecked Sendable {
    typealias Call = (block: @Sendable () -> Void, added: ExchangeClock.Instant)

    struct State {
        /// The calls that have not returned. A single operation performs all of them, because an operation for each
        /// call would be expensive.
        var calls: [Call] = []
        var suspended: (queue: ReadingQueue, since: ExchangeClock.Instant)?
        /// The total time for which reading was suspended, without a current suspension.
        var pauses = Duration.zero

        var readingTime: ExchangeClock.Instant { (suspended?.since ?? .now) - pauses }
    }

    let state = Lock(State())

    /// The number of pending pieces, of up to 16 kB each, at which reading is suspended. Up to a hundred more pieces
    /// arrive before the current read ends.
    static let limit = 16

    /// The number of calls to perform before another waiting operation runs.
    private static let callsPerTurn = 16

    override init() {
        super.init()
        maxConcurrentOperationCount = 1
    }

    /// Adds a delegate call. If too many calls are pending and the current queue is the reading queue, this method
    /// suspends the reading queue. An added `Operation`, such as a cancellation, can run before pending calls.
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        let needsOperation = state.withLock { state in
            state.calls.append((block, state.readingTime))
            if state.calls.count >= Self.limit, state.suspended == nil {
                state.suspended = ReadingQueue.suspendCurrent().map { ($0, .now) }
            }
            return state.calls.count == 1
        }
        if needsOperation { super.addOperation { [self] in makeCalls() } }
    }

    /// Performs the pending calls. If another operation waits, such as a cancellation, that operation runs after
    /// `callsPerTurn` calls, and a further operation performs the remaining calls.
    private func makeCalls() {
        var count = 0
        var next = state.withLock(\.calls.first)
        while let call = next {
            call.block()
            next = removeFirst()
            count += 1
            let yields = count >= Self.callsPerTurn && operationCount > 1 && next != nil
            if yields { return super.addOperation { [self] in makeCalls() } }
        }
    }

    /// Removes the call that has returned.
    ///
    /// - Returns: The next call.
    private func removeFirst() -> Call? {
        // The removed call is released without holding the lock, because its release can run other code.
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

    /// The time of a clock that stands still while reading is suspended. During a suspension, the server may be sending
    /// data that the session doesn't read.
    var readingTime: ExchangeClock.Instant { state.withLock(\.readingTime) }

    /// The latest time, by the clock of ``readingTime``, up to which the delegate has received everything that the
    /// session has read. If no delegate call is pending, this is the current time.
    var deliveryTime: ExchangeClock.Instant { state.withLock { $0.calls.first?.added ?? $0.readingTime } }
}
#endif
