package import Foundation

/// The clocks and the random numbers of retries.
package struct RetryTiming: Sendable {
    /// Returns the time since an arbitrary moment. The clock also advances while the machine sleeps.
    package var now: @Sendable () -> Duration
    /// Waits for a duration. Throws `CancellationError` as soon as the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// Returns the current date, for `Retry-After` dates.
    package var date: @Sendable () -> Date
    /// Returns a random number from 0 to 1.
    package var random: @Sendable () -> Double

    package static let system: RetryTiming = {
        let start = ContinuousClock.now
        return RetryTiming(
            now: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0) }, date: { Date() },
            random: { .random(in: 0...1) })
    }()
}
