package import Foundation

package struct RetryTiming: Sendable {
    /// Returns the time of a clock that also advances while the machine sleeps.
    package var now: @Sendable () -> Duration
    /// Throws `CancellationError` as soon as the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
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
