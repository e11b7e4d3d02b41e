import NetworkIndicator
import NetworkIndicatorTestKit

/// Time in whole ticks, independent of the turns of the main actor. It counts these turns.
final class OracleClock: ActivityScheduler {
    static let tick = Duration.milliseconds(10)

    private let scheduler = ManualScheduler()
    private let origin: SuspendingClock.Instant
    private let turns = Lock(0)

    init() { origin = scheduler.now }

    var now: SuspendingClock.Instant { scheduler.now }
    var timerCount: Int { scheduler.timerCount }
    /// The time in ticks since the start.
    var tickCount: Int { Int(origin.duration(to: now) / Self.tick) }
    /// How much work has run on the main actor.
    var turnCount: Int { turns.withLock { $0 } }

    /// Advances the time without a turn of the main actor.
    func passTick() { scheduler.stall(for: Self.tick) }

    /// Runs everything that is due on the main actor, including work that is added meanwhile.
    @MainActor
    func runMain() { scheduler.advance(by: .zero) }

    // MARK: ActivityScheduler

    func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) {
        scheduler.performOnMain { [turns] in
            turns.withLock { $0 += 1 }
            work()
        }
    }

    @MainActor
    func schedule(
        at deadline: SuspendingClock.Instant, repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer {
        scheduler.schedule(at: deadline, repeatingEvery: interval) { [turns] in
            turns.withLock { $0 += 1 }
            work()
        }
    }
}
