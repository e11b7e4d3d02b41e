package import Foundation

extension Duration {
    /// The longest delay or interval: a hundred years. In nanoseconds it fits in `Int64`, so `Date` and Dispatch don't
    /// overflow.
    package static let longest: Duration = .seconds(100 * 365 * 86_400 as Int64)

    /// The duration in seconds, for Foundation and Dispatch.
    package var timeInterval: TimeInterval {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }

    /// The value within the limits.
    package func clamped(to limits: ClosedRange<Duration>) -> Duration {
        min(max(self, limits.lowerBound), limits.upperBound)
    }
}
