import Foundation

/// Exponential weighting is linear, so the weight of one transfer can be subtracted from the weight of all transfers.
struct TransferRate {
    /// In seconds. After five seconds, bytes have about a seventh of their initial weight.
    private static let timeConstant = 2.5
    /// In seconds. Over a shorter time, the first chunk of a transfer would give a rate that is far too high.
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

    mutating func remove(_ other: TransferRate, at now: Duration) {
        decay(to: now)
        weight -= other.weight(at: now)
        if weight < 1 { self = TransferRate(from: now) }
    }

    func bytesPerSecond(at now: Duration) -> Double? {
        let elapsed = (now - start) / .seconds(1)
        guard hasBytes, elapsed >= Self.shortestMeasurement else { return nil }
        // The divisor is the weight that a constant rate of one byte per second would have accumulated since `start`.
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
