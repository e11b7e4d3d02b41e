import Dispatch
import NetworkIndicator

/// Events that occur during a transfer are normally delivered on the delegate queue, so that a slow handler slows down
/// the transfer. Other events are delivered on a separate queue, so that a slow handler can't delay the cancellation of
/// the call.
final class EventRelay: Sendable {
    private struct State {
        var queue = EventQueue<(event: AttemptEvent?, next: (@Sendable () -> Void)?)>()
        var isFinished = false
        var lastReport: Duration?
        var unreported: TransferProgress?

        /// Events after the last one are dropped.
        mutating func append(_ event: AttemptEvent, _ next: (@Sendable () -> Void)?) -> Bool {
            queue.append((isFinished ? nil : event, next))
            if case .finished = event { isFinished = true }
            return queue.beginDelivery()
        }
    }

    private let state = Lock(State())
    let now: @Sendable () -> Duration
    private let handler: (@Sendable (AttemptEvent) -> Void)?
    private let thread = DispatchQueue(label: "NetworkIndicator.EventRelay")

    private static let progressInterval: Duration = .milliseconds(100)

    init(_ timing: RetryTiming, _ handler: (@Sendable (AttemptEvent) -> Void)?) {
        now = timing.now
        self.handler = handler
    }

    func post(_ event: AttemptEvent) {
        if handler != nil, state.withLock({ $0.append(event, nil) }) { deliver() }
    }

    /// Calls `next` when the handler has processed the event.
    func post(_ event: AttemptEvent, then next: @escaping @Sendable () -> Void) {
        guard handler != nil else { return next() }
        if state.withLock({ $0.append(event, next) }) { thread.async { self.deliver() } }
    }

    /// Returns when the handler has processed the event, or when the calling Swift task is cancelled.
    func postAndWait(_ event: AttemptEvent) async {
        guard handler != nil, !state.withLock({ $0.isFinished && $0.queue.isDelivered }) else { return }
        let (returns, waiter) = AsyncStream.makeStream(of: Never.self)
        post(event) { waiter.finish() }
        for await _ in returns {}
    }

    private func deliver() {
        while let item = state.withLock({ $0.queue.next(atMost: 1).first }) {
            if let event = item.event { handler?(event) }
            item.next?()
        }
    }

    // MARK: Progress

    /// - Parameters:
    ///   - new: `nil` for the latest unreported progress.
    ///   - atOnce: Whether the progress is reported even if another one was reported less than 100 ms ago.
    /// - Returns: The time until the progress can be reported, if that isn't now.
    @discardableResult func report(_ new: TransferProgress?, atOnce: Bool = false) -> Duration? {
        guard handler != nil else { return nil }
        let now = now()
        let (delay, delivers): (Duration?, Bool) = state.withLock { state in
            guard let progress = new ?? state.unreported else { return (nil, false) }
            if !atOnce, let last = state.lastReport, now - last < Self.progressInterval {
                state.unreported = progress
                return (Self.progressInterval - (now - last), false)
            }
            state.lastReport = now
            state.unreported = nil
            return (nil, state.append(.progress(progress), nil))
        }
        if delivers, new != nil { deliver() } else if delivers { thread.async { self.deliver() } }
        return delay
    }

    /// The latest unreported progress precedes the event that is posted next.
    func endAttempt() {
        state.withLock { state in
            guard !state.isFinished, let progress = state.unreported.take() else { return }
            state.queue.append((.progress(progress), nil))
        }
    }
}
