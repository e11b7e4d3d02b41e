import Foundation

/// A smoothed transfer rate: an exponentially weighted average that covers about five seconds.
///
/// The average is linear: the average of two transfers together is the sum of their averages. So the average of one
/// transfer can be subtracted from the average of all transfers.
struct TransferRate {
    /// The time constant of the average, in seconds. Bytes that arrived five seconds ago have a seventh of the weight
    /// of bytes that arrive now.
    private static let timeConstant = 2.5
    /// The shortest time for a measurement, in seconds. Over a shorter time, the first chunk of a transfer would give a
    /// rate that is far too high.
    private static let shortestMeasurement = 0.25

    private let start: Duration
    private var last: Duration
    private var weight = 0.0
    private(set) var hasBytes = false

    init(from start: Duration) {
        self.start = start
        last = start
    }

    mutating func add(_ bytes: Int64, at now: Duration) {
        decay(to: now)
        weight += Double(bytes)
        hasBytes = hasBytes || bytes > 0
    }

    /// Subtracts the contribution of another rate. If nothing is left, the measurement starts again.
    mutating func remove(_ other: TransferRate, at now: Duration) {
        decay(to: now)
        weight -= other.weight(at: now)
        if weight < 1 { self = TransferRate(from: now) }
    }

    /// Returns the rate, or `nil` until bytes have arrived and enough time has passed for a measurement.
    func bytesPerSecond(at now: Duration) -> Double? {
        let elapsed = (now - start) / .seconds(1)
        guard hasBytes, elapsed >= Self.shortestMeasurement else { return nil }
        // Until the measurement covers about five seconds, the divisor is smaller. It corrects the average for the
        // missing time.
        return weight(at: now) / (Self.timeConstant * (1 - exp(-elapsed / Self.timeConstant)))
    }

    private mutating func decay(to now: Duration) {
        weight = weight(at: now)
        last = max(last, now)
    }

    private func weight(at now: Duration) -> Double {
        let elapsed = max(0, (now - last) / .seconds(1))
        return weight * exp(-elapsed / Self.timeConstant)
    }
}
