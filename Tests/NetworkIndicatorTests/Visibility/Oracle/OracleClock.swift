import NetworkIndicator
import NetworkIndicatorTestKit

/// Time in whole ticks, independent of the turns of the main actor.
struct OracleClock: Sendable {
    static let tick = Duration.milliseconds(10)

    let scheduler = ManualScheduler()
    private let origin: SuspendingClock.Instant

    init() { origin = scheduler.now }

    var now: SuspendingClock.Instant { scheduler.now }
    var timerCount: Int { scheduler.timerCount }
    /// The time in ticks since the start.
    var tickCount: Int { Int(origin.duration(to: now) / Self.tick) }

    /// Advances the time without a turn of the main actor.
    func passTick() { scheduler.stall(for: Self.tick) }

    /// Runs everything that is due on the main actor, including work that is added meanwhile.
    @MainActor
    func runMain() { scheduler.advance(by: .zero) }
}
