import Foundation
import NetworkIndicator

/// The progress of a transfer, or of all transfers of a ``TransferMeter`` together, at one moment.
public struct TransferStatus: Sendable, Hashable, CustomStringConvertible {
    /// The label of the transfer, or `nil` for all transfers together and for a transfer without a label.
    public let label: String?

    /// The number of transferred bytes, including those that a resumed download received earlier.
    public let completedBytes: Int64

    /// The total number of bytes, or `nil` if it is unknown. ``TransferMeter`` describes when the total of all
    /// transfers is known.
    public let totalBytes: Int64?

    /// Whether `totalBytes` assumes an average size for transfers whose size isn't known yet.
    public let isTotalEstimated: Bool

    /// The rate in bytes per second, smoothed over about five seconds. The rate is `nil` until its measurement has
    /// lasted 250 ms and has included at least one byte. After the last byte, the rate is the average.
    ///
    /// While no bytes are transferred, the rate stands still. Unless such pauses recur, a pause of more than one second
    /// then counts as one second.
    public let bytesPerSecond: Double?

    /// The estimated time until all bytes are transferred at the current rate. The time is zero if no more bytes are
    /// expected. It is `nil` while the total or the rate is unknown, while the transfer is stalled, and for estimates
    /// of 100 hours or more.
    ///
    /// For all transfers together, the time is at least the estimate for the slowest transfer, and `nil` if any started
    /// transfer is stalled. Estimates for transfers whose rate has been measured for less than 2.5 s are ignored.
    public let estimatedTimeRemaining: Duration?

    /// The time for which the rate has been measured: since the transfer or the busy period began, since the last
    /// update without bytes before the first byte, or since ``TransferMeter/Transfer/start()`` restarted the
    /// measurement. If a transfer starts over, so does this time.
    public let elapsedTime: Duration

    /// The time since bytes were last transferred, or since the measurement of the rate began. For all transfers
    /// together, this is the time of the open transfer to which this happened last. The time is `nil` if it is shorter
    /// than five seconds, if the transfer is complete or hasn't started, or if no transfer is open.
    public let stalledTime: Duration?

    /// Whether the transfer waits for its next attempt or for the network. For all transfers together, this is `false`.
    var isWaiting = false

    /// Creates a status, for example for a test or a preview.
    public init(
        label: String? = nil, completedBytes: Int64, totalBytes: Int64? = nil, isTotalEstimated: Bool = false,
        bytesPerSecond: Double? = nil, estimatedTimeRemaining: Duration? = nil, elapsedTime: Duration = .zero,
        stalledTime: Duration? = nil
    ) {
        self.label = label
        self.completedBytes = completedBytes
        self.totalBytes = totalBytes
        self.isTotalEstimated = isTotalEstimated
        self.bytesPerSecond = bytesPerSecond
        self.estimatedTimeRemaining = estimatedTimeRemaining
        self.elapsedTime = elapsedTime
        self.stalledTime = stalledTime
    }

    /// The progress from 0 to 1, or `nil` while the total is unknown. The fraction is 1 only if all expected bytes have
    /// been transferred.
    public var fractionCompleted: Double? {
        TransferProgress(completedBytes: completedBytes, totalBytes: totalBytes).fractionCompleted
    }

    /// The bytes as text: `24.1 of 62.6 MB`, `24.1 of ~62.6 MB` with an estimated total, or `24.1 MB` without a total.
    /// Both numbers have the unit of the total. From 1 MB on, they have up to three digits.
    public var bytesDescription: String {
        TransferText.bytes(completedBytes, of: totalBytes, isRough: isTotalEstimated)
    }

    /// The rate as text, such as `13 MB/s`, or `nil` while the rate is unknown or the transfer is stalled.
    public var rateDescription: String? {
        stalledTime == nil ? bytesPerSecond.map { TransferText.rate($0) } : nil
    }

    /// The time left as text, such as `3 s left`, rounded to the nearest second, and at least `1 s left`. Long times
    /// are in minutes or hours. If the transfer waits for its next attempt or for the network, the text is `waiting`.
    /// If it is stalled, the text is the stalled time, such as `stalled 9 s`. If no more bytes are expected, but some
    /// are missing, the text is `incomplete`.
    ///
    /// If the transfer is complete, the text is the elapsed time, such as `in 12 s`. If it has bytes but no total, the
    /// text is `for 12 s`. If none of these cases applies and the time left can't be estimated, the text is `nil`.
    public var timeDescription: String? {
        if isWaiting { return "waiting" }
        if let stalledTime { return "stalled \(stalledTime.text(rounded: .down))" }
        if completedBytes == 0, totalBytes == nil { return nil }
        let elapsed = elapsedTime.text(rounded: .down)
        guard let totalBytes else { return "for \(elapsed)" }
        if completedBytes == totalBytes { return "in \(elapsed)" }
        if estimatedTimeRemaining == .zero { return "incomplete" }
        return estimatedTimeRemaining.map { "\(max($0, .seconds(1)).text(rounded: .toNearestOrEven)) left" }
    }

    /// The texts for the columns of a row: bytes, rate and time. An unknown value has an empty text, so that the
    /// columns of several rows align. Before the first byte, the text for the bytes is empty unless the total is known.
    public var details: [String] {
        let isUnknown = completedBytes == 0 && totalBytes == nil
        return [isUnknown ? "" : bytesDescription, rateDescription ?? "", timeDescription ?? ""]
    }

    /// The known parts of the status as text, such as `24.1 of 62.6 MB, 13 MB/s, 3 s left`.
    public var description: String {
        [bytesDescription, rateDescription, timeDescription].compactMap(\.self).joined(separator: ", ")
    }
}

/// Unlike the texts of `ByteCountFormatStyle`, these texts are the same in every locale.
enum TransferText {
    static func bytes(_ completed: Int64, of total: Int64? = nil, isRough: Bool = false) -> String {
        let values = [completed, total].compactMap { $0.map { Double($0) } }
        return text(values, isRough ? " of ~" : " of ") { $1 < 2 || $0 >= 99.95 ? 0 : $1 > 2 && $0 < 9.995 ? 2 : 1 }
    }

    static func rate(_ bytesPerSecond: Double) -> String {
        text([bytesPerSecond]) { $1 == 0 || $0 >= 9.95 ? 0 : 1 } + "/s"
    }

    /// - Parameter decimals: Returns the number of decimals for a value, and for the exponent of its unit to base 1000.
    private static func text(_ values: [Double], _ separator: String = "", decimals: (Double, Int) -> Int) -> String {
        func number(_ bytes: Double, _ exponent: Int) -> String {
            let value = bytes / pow(1000, Double(exponent))
            return String(format: "%.\(decimals(value, exponent))f", value)
        }
        let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        // The rounded last number determines the unit, so that 999.5 kB becomes 1.0 MB.
        let exponent = units.indices.dropLast().first { Double(number(values.last!, $0))! < 1000 } ?? units.endIndex - 1
        return values.map { number($0, exponent) }.joined(separator: separator) + " " + units[exponent]
    }
}

extension Duration {
    /// By default, the number is rounded up, so that no positive duration is shown as zero. The unit is the largest one
    /// of which there are at least two, so that the texts in a column have nearly the same width.
    ///
    /// - Parameter hasTenths: Whether a duration of less than ten seconds is shown in tenths, but not as zero.
    func text(rounded rule: FloatingPointRoundingRule = .up, hasTenths: Bool = false) -> String {
        let seconds = clamped(to: .zero ... .longest).timeInterval
        if hasTenths, seconds < 9.95 { return String(format: "%.1f s", max(0.1, seconds)) }
        let (size, unit) = seconds < 120 ? (1.0, "s") : seconds < 7200 ? (60, "m") : (3600, "h")
        return "\(Int64((seconds / size).rounded(rule))) \(unit)"
    }
}
