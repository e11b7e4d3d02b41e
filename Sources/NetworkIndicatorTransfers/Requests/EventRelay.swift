import NetworkIndicator

/// Delivers the events of one call in order, one at a time, and none after `finished`.
///
/// The call and the delegate queue post events. The handler runs outside the lock, on the thread that posted the event
/// or on a thread that is already delivering.
final class EventRelay: Sendable {
    private struct State {
        var queue = EventQueue<(event: AttemptEvent, waiter: CheckedContinuation<Void, Never>?)>()
        var isFinished = false
        /// When progress was last reported in this attempt.
        var lastReport: Duration?
        /// The latest progress, if it isn't reported yet.
        var unreported: TransferProgress?
    }

    private let state = Lock(State())
    private let now: @Sendable () -> Duration
    private let handler: (@Sendable (AttemptEvent) -> Void)?

    private static let progressInterval: Duration = .milliseconds(100)

    init(_ timing: RetryTiming, _ handler: (@Sendable (AttemptEvent) -> Void)?) {
        now = timing.now
        self.handler = handler
    }

    func post(_ event: AttemptEvent) { post(event, nil) }

    /// Posts `finished`, and returns when the handler has returned from it.
    func finish() async {
        await withCheckedContinuation { post(.finished, $0) }
    }

    /// - Parameter waiter: Resumes when the handler has returned from the event.
    private func post(_ event: AttemptEvent, _ waiter: CheckedContinuation<Void, Never>?) {
        let delivers = state.withLock { state in
            guard !state.isFinished else { return false }
            state.isFinished = waiter != nil
            state.queue.append((event, waiter))
            return state.queue.beginDelivery()
        }
        guard delivers else { return }
        while let next = state.withLock({ $0.queue.next(atMost: 1).first }) {
            handler?(next.event)
            next.waiter?.resume()
        }
    }

    // MARK: Progress

    /// Begins an attempt. Its first progress is reported immediately.
    func beginAttempt(_ attempt: Int) {
        state.withLock { state in
            state.lastReport = nil
            state.unreported = nil
        }
        post(.started(attempt: attempt))
    }

    /// Reports the progress of an attempt, at most ten times a second.
    func report(_ progress: TransferProgress) {
        let now = now()
        let isDue = state.withLock { state in
            state.unreported = progress
            if let last = state.lastReport, now - last < Self.progressInterval { return false }
            state.lastReport = now
            state.unreported = nil
            return true
        }
        if isDue { post(.progress(progress)) }
    }

    /// Reports the latest progress at the end of an attempt, unless it is already reported.
    func endAttempt() {
        if let progress = state.withLock({ $0.unreported.take() }) { post(.progress(progress)) }
    }
}
