import NetworkIndicator

/// Delivers events in order, one at a time, and none after `finished`.
///
/// The call and the delegate queue post events. The handler runs outside the lock, on the thread that posted the event
/// or on a thread that is already delivering.
final class EventRelay: Sendable {
    private struct State {
        var pending: [AttemptEvent] = []
        var isDelivering = false
        var isFinished = false
    }

    private let state = Lock(State())
    private let handler: @Sendable (AttemptEvent) -> Void

    init(_ handler: @escaping @Sendable (AttemptEvent) -> Void) {
        self.handler = handler
    }

    func post(_ event: AttemptEvent) {
        let delivers = state.withLock { state in
            guard !state.isFinished else { return false }
            if case .finished = event { state.isFinished = true }
            state.pending.append(event)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard delivers else { return }
        while let next = next() { handler(next) }
    }

    private func next() -> AttemptEvent? {
        state.withLock { state in
            guard state.pending.isEmpty else { return state.pending.removeFirst() }
            state.isDelivering = false
            return nil
        }
    }
}

/// Reports the progress of one attempt at most ten times a second, and at its end.
final class ProgressReporter: Sendable {
    private struct State {
        var last: (time: Duration, progress: TransferProgress)?
        var latest: TransferProgress?
    }

    private let state = Lock(State())
    private let events: EventRelay
    private let now: @Sendable () -> Duration

    private static let interval: Duration = .milliseconds(100)

    init(_ events: EventRelay, now: @escaping @Sendable () -> Duration) {
        self.events = events
        self.now = now
    }

    /// Begins an attempt. Its first progress is reported immediately.
    func reset() {
        state.withLock { $0 = State() }
    }

    func report(_ progress: TransferProgress) {
        let now = now()
        let isDue = state.withLock { state in
            state.latest = progress
            if let last = state.last, now - last.time < Self.interval { return false }
            state.last = (now, progress)
            return true
        }
        if isDue { events.post(.progress(progress)) }
    }

    /// Reports the latest progress at the end of an attempt, unless it is already reported.
    func flush() {
        let now = now()
        let rest: TransferProgress? = state.withLock { state in
            guard let latest = state.latest, latest != state.last?.progress else { return nil }
            state.last = (now, latest)
            return latest
        }
        if let rest { events.post(.progress(rest)) }
    }
}
