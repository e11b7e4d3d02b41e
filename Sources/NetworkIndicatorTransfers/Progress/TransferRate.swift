import Foundation
import NetworkIndicator

struct TransferRate {
    /// In seconds. After five seconds, bytes have about a seventh of their initial weight.
    private static let timeConstant = 2.5

    private let start: Duration
    private var last: Duration
    private var bytes = 0.0
    private var weight = 0.0
    /// In seconds, like `pause`. Unlike the time between `start` and `last`, this time contains no exceptional pauses.
    private(set) var measuredTime = 0.0
    /// The longest pause. It decays, so that a pause long ago isn't expected again.
    private var pause = 0.0

    init(start: Duration) { (self.start, last) = (start, start) }

    var hasBytes: Bool { bytes > 0 }

    /// - Parameter count: The number of bytes since the last call. A negative number restarts the measurement. Before
    ///   the first byte, zero restarts it, too.
    mutating func add(_ count: Int64, at now: Duration) {
        if count < 0 || (count == 0 && !hasBytes) { self = TransferRate(start: now) }
        guard count > 0 else { return }
        let silence = max(0, (now - last).timeInterval)
        // A single long pause says nothing about the future, so it counts as one second.
        let time = min(silence, max(1, pause))
        pause = max(silence, pause * exp(-time / 10))
        let decay = time / Self.timeConstant
        // The bytes count as if they had arrived at a constant rate.
        weight = weight * exp(-decay) + Double(count) * (decay > 0 ? -expm1(-decay) / decay : 1)
        measuredTime += time
        (last, bytes) = (now, bytes + Double(count))
    }

    /// The rate at the time of the last bytes, so that the estimated time left stands still during a pause.
    var bytesPerSecond: Double? {
        // Over a shorter time, the first chunk of a transfer would give a rate that is far too high.
        guard measuredTime >= 0.25 else { return nil }
        // The divisor is the weight that a constant rate of one byte per second would have accumulated.
        return weight / (Self.timeConstant * -expm1(-measuredTime / Self.timeConstant))
    }

    /// The average, including all pauses.
    var average: Double? { last - start < .milliseconds(250) ? nil : bytes / (last - start).timeInterval }
}
