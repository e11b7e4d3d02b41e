import NetworkIndicator
import NetworkIndicatorTestKit

/// Time that moves by whole ticks, whether or not the main actor gets its turn.
struct OracleClock: Sendable {
    static let tick = Duration.milliseconds(10)

    let scheduler = ManualScheduler()
    private let origin: SuspendingClock.Instant

    init() { origin = scheduler.now }

    var now: SuspendingClock.Instant { scheduler.now }
    var timerCount: Int { scheduler.timerCount }
    /// In ticks since the beginning.
    var tickCount: Int { Int(origin.duration(to: now) / Self.tick) }

    /// Time passes; the main actor does nothing.
    func passTick() { scheduler.stall(for: Self.tick) }

    /// The main actor does everything that is due, and what that adds.
    @MainActor
    func runMain() { scheduler.advance(by: .zero) }
}
