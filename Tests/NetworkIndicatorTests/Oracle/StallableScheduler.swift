import NetworkIndicator

/// A scheduler whose time moves by whole ticks of ten milliseconds, whether or not the main actor gets its turn: what a
/// manual scheduler that keeps main actor and time together cannot show, a held-up main thread.
final class StallableScheduler: ActivityScheduler {
    private struct Piece {
        let order: Int
        var due: SuspendingClock.Instant
        let interval: Duration?
        let timer: StallableTimer?
        let work: @MainActor @Sendable () -> Void
    }

    private struct State {
        let origin = SuspendingClock().now
        var now: SuspendingClock.Instant
        var pieces: [Piece] = []
        var made = 0

        init() { now = origin }

        mutating func add(
            _ due: SuspendingClock.Instant, _ interval: Duration?, _ timer: StallableTimer?,
            _ work: @escaping @MainActor @Sendable () -> Void
        ) {
            made += 1
            pieces.append(Piece(order: made, due: due, interval: interval, timer: timer, work: work))
        }

        mutating func takeNext() -> Piece? {
            var next: Int?
            for index in pieces.indices where pieces[index].due <= now {
                guard let best = next else {
                    next = index
                    continue
                }
                if (pieces[index].due, pieces[index].order) < (pieces[best].due, pieces[best].order) { next = index }
            }
            guard let next else { return nil }
            let piece = pieces.remove(at: next)
            if let interval = piece.interval {
                // Periods that were missed are missed, as with run loops.
                var due = piece.due.advanced(by: interval)
                while due <= now { due = due.advanced(by: interval) }
                add(due, interval, piece.timer, piece.work)
            }
            return piece
        }
    }

    static let tick = Duration.milliseconds(10)

    private let state = Lock(State())

    var now: SuspendingClock.Instant { state.withLock { $0.now } }
    /// In ticks since the beginning.
    var tickCount: Int { state.withLock { Int($0.origin.duration(to: $0.now) / Self.tick) } }
    var timerCount: Int { state.withLock { state in state.pieces.count { $0.timer != nil } } }

    /// Time passes; the main actor does nothing.
    func passTick() { state.withLock { $0.now = $0.now.advanced(by: Self.tick) } }

    /// The main actor does everything that is due, and what that adds.
    @MainActor
    func runMain() {
        while let piece = state.withLock({ $0.takeNext() }) { piece.work() }
    }

    func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) {
        state.withLock { $0.add($0.now, nil, nil, work) }
    }

    @MainActor
    func schedule(
        at deadline: SuspendingClock.Instant, repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer {
        let timer = StallableTimer(scheduler: self)
        state.withLock { $0.add(deadline, interval, timer, work) }
        return timer
    }

    fileprivate func cancel(_ timer: StallableTimer) {
        let released = state.withLock { state in
            let index = state.pieces.firstIndex { $0.timer === timer }
            return index.map { state.pieces.remove(at: $0) }
        }
        withExtendedLifetime(released) {}
    }
}

@MainActor
private final class StallableTimer: ActivityTimer {
    private let scheduler: StallableScheduler

    init(scheduler: StallableScheduler) { self.scheduler = scheduler }

    func cancel() { scheduler.cancel(self) }
}
