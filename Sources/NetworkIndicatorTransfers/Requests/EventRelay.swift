import Dispatch
import NetworkIndicator

/// Delivers the events of a call in order, on a queue of its own. A slow handler therefore delays neither the transfer
/// nor the cancellation of the call.
final class EventRelay: Sendable {
    private struct State {
        var lastReport: Duration?
        /// These events precede the next report or post.
        var postponed: [AttemptEvent] = []
        /// The queue contains at most a request to report this progress. New progress replaces it, so that a slow
        /// handler doesn't let the queue grow.
        var unreported: TransferProgress?
        /// The number of calls of `post`. A report that was requested before the latest one would come too early.
        var posts = 0
        var isFinished = false

        mutating func takeEarlier() -> [AttemptEvent] {
            defer { postponed = [] }
            return postponed + (unreported.take().map { [.progress($0)] } ?? [])
        }
    }

    private let state = Lock(State())
    private let clock: any Clock<Duration>
    let now: @Sendable () -> Duration
    private let handler: (@Sendable (AttemptEvent) -> Void)?
    let queue = DispatchQueue(label: "NetworkIndicator.EventRelay")

    init(_ clock: any Clock<Duration>, _ handler: (@Sendable (AttemptEvent) -> Void)?) {
        self.clock = clock
        now = clock.stopwatch()
        self.handler = handler
    }

    /// The latest unreported progress precedes the events. Nothing follows the last event of a call.
    ///
    /// - Parameters:
    ///   - canBlock: Whether `next` must not run on the caller's thread, even without a handler.
    ///   - next: Called when the handler has processed the events.
    func post(_ events: AttemptEvent..., canBlock: Bool = false, then next: @escaping @Sendable () -> Void = {}) {
        guard let handler else { return canBlock ? queue.async(execute: next) : next() }
        let now = now()
        state.withLock { state in
            if state.isFinished { return }
            state.posts += 1
            let earlier = state.takeEarlier()
            if case .progress = events.last { state.lastReport = now }
            if case .finished = events.last { state.isFinished = true }
            // The lock is held, so that the queue has the same order as the calls.
            queue.async {
                for event in earlier + events { handler(event) }
                next()
            }
        }
    }

    /// Delivers the events with later ones, because each post wakes a thread.
    func postpone(_ events: AttemptEvent...) { state.withLock { $0.postponed += events } }

    /// Returns when the handler has processed the event, or when the calling Swift task is cancelled.
    func postAndWait(_ event: AttemptEvent) async {
        let isProcessed = Signal()
        post(event) { isProcessed.send() }
        try? await isProcessed.wait()
    }

    /// Reports the progress at most ten times a second. If it is complete, it can wait for the next event.
    func report(_ progress: TransferProgress) {
        if handler == nil { return }
        let posts = state.withLock { state in
            defer { if !state.isFinished { state.unreported = progress } }
            // No report is due for complete progress, for example that of a response with a challenge.
            return state.unreported?.isComplete != false && !progress.isComplete ? state.posts : nil
        }
        if let posts { queue.async { self.reportIfDue(after: posts) } }
    }

    private func reportIfDue(after posts: Int) {
        let now = now()
        let due = state.withLock { state -> [AttemptEvent] in
            guard state.posts == posts, state.unreported != nil else { return [] }
            let pause = state.lastReport.map { $0 + .milliseconds(100) - now } ?? .zero
            if pause > .zero {
                clock.schedule(after: pause, on: queue) { [weak self] in self?.reportIfDue(after: posts) }
                return []
            }
            state.lastReport = now
            return state.takeEarlier()
        }
        for event in due { handler?(event) }
    }
}
