import Dispatch
import NetworkIndicator

/// Events that occur during a transfer are normally delivered on the delegate queue, so that a slow handler slows down
/// the transfer. Other events are delivered on a separate queue, so that a slow handler can't delay the cancellation of
/// the call.
final class EventRelay: Sendable {
    private typealias Waiter = AsyncStream<Never>.Continuation

    private struct State {
        var queue = EventQueue<(event: AttemptEvent, waiter: Waiter?)>()
        var isFinished = false
        var lastReport: Duration?
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

    func post(_ event: AttemptEvent) {
        if append(event, nil) { deliver() }
    }

    /// Returns when the handler has processed the event, or when the calling Swift task is cancelled.
    func postAndWait(_ event: AttemptEvent) async {
        guard handler != nil else { return }
        let (returns, waiter) = AsyncStream.makeStream(of: Never.self)
        if append(event, waiter) { thread.async { self.deliver() } }
        for await _ in returns {}
    }

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

    func endAttempt() {
        guard let progress = state.withLock({ $0.unreported.take() }) else { return }
        if append(.progress(progress), nil) { thread.async { self.deliver() } }
    }
}
