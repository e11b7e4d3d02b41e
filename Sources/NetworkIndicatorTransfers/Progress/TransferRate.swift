import Foundation

/// Exponential weighting is linear, so the weights of several transfers can be added.
struct TransferRate {
    /// In seconds. After five seconds, bytes have about a seventh of their initial weight.
    private static let timeConstant = 2.5

    var start: Duration
    var last: Duration = .zero
    var weight = 0.0
    var bytes = 0.0

    var hasBytes: Bool { bytes > 0 }

    mutating func add(_ count: Int64, at now: Duration) {
        add(TransferRate(start: start, last: now, weight: Double(count), bytes: Double(count)), at: now)
    }

    mutating func add(_ other: TransferRate, at now: Duration) {
        guard other.hasBytes else { return }
        start = hasBytes ? min(start, other.start) : other.start
        weight = weight(at: now) + other.weight(at: now)
        last = max(last, now)
        bytes += other.bytes
    }

    func seconds(at now: Duration) -> Double { (now - start) / .seconds(1) }

    /// - Parameter end: The time of the last byte of a complete transfer, whose rate is the average.
    func bytesPerSecond(at now: Duration, completedAt end: Duration?) -> Double? {
        let elapsed = seconds(at: end ?? now)
        // Over a shorter time, the first chunk of a transfer would give a rate that is far too high.
        guard hasBytes, elapsed >= 0.25 else { return nil }
        // The divisor is the weight that a constant rate of one byte per second would have accumulated since `start`.
        return end != nil
            ? bytes / elapsed : weight(at: now) / (Self.timeConstant * (1 - exp(-elapsed / Self.timeConstant)))
    }

    private func weight(at now: Duration) -> Double {
        weight * exp(-max(0, (now - last) / .seconds(1)) / Self.timeConstant)
    }
}
