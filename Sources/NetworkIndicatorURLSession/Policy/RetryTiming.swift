package import Foundation
import NetworkIndicator

/// The clocks and the random numbers of retries.
package struct RetryTiming: Sendable {
    /// The time since an arbitrary moment. It also advances while the machine sleeps.
    package var now: @Sendable () -> Duration
    /// Throws `CancellationError` as soon as the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// The time of day, for `Retry-After` dates.
    package var date: @Sendable () -> Date
    /// A number from 0 to 1.
    package var random: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void,
        date: @escaping @Sendable () -> Date, generator: some RandomNumberGenerator & Sendable
    ) {
        self.now = now
        self.sleep = sleep
        self.date = date
        let generator = Lock(generator)
        random = { generator.withLock { Double.random(in: 0...1, using: &$0) } }
    }

    package static let system: RetryTiming = {
        let clock = ContinuousClock()
        let start = clock.now
        return RetryTiming(
            now: { start.duration(to: clock.now) }, sleep: { try await clock.sleep(for: $0) }, date: { Date() },
            generator: SystemRandomNumberGenerator())
    }()
}
