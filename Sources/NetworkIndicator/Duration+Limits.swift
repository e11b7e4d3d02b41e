package import Foundation

extension Duration {
    /// The longest delay or interval that is kept: a hundred years of nanoseconds fit `Int64`, and `Date` and Dispatch
    /// take them without overflow.
    package static let longest: Duration = .seconds(100 * 365 * 86_400)

    /// In seconds, as Foundation and Dispatch take it.
    package var timeInterval: TimeInterval {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }

    /// The value within the limits.
    package func clamped(to limits: ClosedRange<Duration>) -> Duration {
        min(max(self, limits.lowerBound), limits.upperBound)
    }
}
