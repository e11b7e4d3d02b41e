import Dispatch
import NetworkIndicator

/// Delivers the events of one call in order and one at a time. Delivers no event after `finished`.
///
/// The handler is called without holding a lock. For events of the transfer, it runs on the delegate queue, so that a
/// slow handler slows down its transfer. For events of the call, it runs on a separate queue, so that it can't delay
/// the cancellation of the call.
final class EventRelay: Sendable {
    private typealias Waiter = AsyncStream<Never>.Continuation

    private struct State {
        var queue = EventQueue<(event: AttemptEvent, waiter: Waiter?)>()
        var isFinished = false
        /// The time at which progress was last reported.
        var lastReport: Duration?
        /// The latest progress, if it has not been reported yet.
        var unreported: TransferProgress?
    }

    private let state = Lock(State())
    private let now: @Sendable () -> Duration
    private let handler: (@Sendable (AttemptEvent) -> Void)?
    private let thread = DispatchQueue(label: "NetworkIndicator.EventRelay")

    private static let progressInterval: Duration = .milliseconds(100)

    init(_ timing: RetryTiming, _ handler: (@Sendable (AttemptEvent) -> Void)?) {
        now = timing.now
        self.handler = handler
    }

    /// Posts an event of the transfer. Unless another thread is delivering events, the handler runs on the current
    /// thread.
    func post(_ event: AttemptEvent) {
        if append(event, nil) { deliver() }
    }

    /// Posts an event of the call, and waits until the handler has returned from it. If the task is cancelled, this
    /// method returns at once.
    func postAndWait(_ event: AttemptEvent) async {
        guard handler != nil else { return }
        let (returns, waiter) = AsyncStream.makeStream(of: Never.self)
        if append(event, waiter) { thread.async { self.deliver() } }
        for await _ in returns {}
    }

    /// - Parameter waiter: The continuation to finish when the handler has returned from the event.
    /// - Returns: Whether the caller must deliver the events in the queue.
    private func append(_ event: AttemptEvent, _ waiter: Waiter?) -> Bool {
        state.withLock { state in
            guard handler != nil, !state.isFinished else { return false }
            if case .finished = event { state.isFinished = true }
            state.queue.append((event, waiter))
            return state.queue.beginDelivery()
        }
    }

    private func deliver() {
        while let next = state.withLock({ $0.queue.next(atMost: 1).first }) {
            handler?(next.event)
            next.waiter?.finish()
        }
    }

    // MARK: Progress

    /// Reports the start of a response immediately, and other progress at most ten times a second.
    func report(_ progress: TransferProgress) {
        let now = now()
        let isDue = state.withLock { state in
            state.unreported = progress
            if !progress.isStart, let last = state.lastReport, now - last < Self.progressInterval { return false }
            state.lastReport = now
            state.unreported = nil
            return true
        }
        if isDue { post(.progress(progress)) }
    }

    /// Reports the latest progress at the end of an attempt, unless that progress was already reported. The call doesn't
    /// wait for the handler, because a later event always waits.
    func endAttempt() {
        guard let progress = state.withLock({ $0.unreported.take() }) else { return }
        if append(.progress(progress), nil) { thread.async { self.deliver() } }
    }
}
