package import Foundation

package struct RetryTiming: Sendable {
    /// Returns the time of a clock that also advances while the machine sleeps.
    package var now: @Sendable () -> Duration
    package var sleep: @Sendable (Duration) async throws -> Void
    package var date: @Sendable () -> Date
    package var random: @Sendable () -> Double

    package static let system: RetryTiming = {
        let start = ContinuousClock.now
        return RetryTiming(
            now: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0) }, date: { Date() },
            random: { .random(in: 0...1) })
    }()
}
