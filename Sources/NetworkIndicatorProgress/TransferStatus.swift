import Foundation
import NetworkIndicator

/// The progress of a transfer, or of all transfers of a ``TransferMeter`` together, at one moment.
public struct TransferStatus: Sendable, Hashable, CustomStringConvertible {
    /// The label of the transfer, or `nil` for all transfers together and for a transfer without a label.
    public internal(set) var label: String?

    /// The number of transferred bytes, including those that a resumed download received earlier.
    public internal(set) var completedBytes: Int64

    /// The total number of bytes, or `nil` if it is unknown. ``TransferMeter`` describes when the total of all
    /// transfers is known.
    public internal(set) var totalBytes: Int64?

    /// Whether `totalBytes` assumes an average size for transfers whose size isn't known yet.
    public internal(set) var isTotalEstimated: Bool = false

    /// The rate in bytes per second, smoothed over about five seconds. The rate is `nil` until its measurement has
    /// lasted 250 ms and has included at least one byte. After the last byte, the rate is the average over
    /// `elapsedTime`.
    ///
    /// While no bytes are transferred, the rate stands still. Unless such pauses recur, a pause of more than one second
    /// then counts as one second.
    public internal(set) var bytesPerSecond: Double?

    /// The estimated time until all bytes are transferred at the current rate. The time is zero if no more bytes are
    /// expected. It is `nil` while the total or the rate is unknown, while the transfer is stalled, and for estimates
    /// of 100 hours or more.
    ///
    /// For all transfers together, the time is at least the estimate for the slowest transfer, and `nil` if any started
    /// transfer is stalled. Estimates for transfers whose rate has been measured for less than 2.5 s are ignored.
    public internal(set) var estimatedTimeRemaining: Duration?

    /// The time for which the rate has been measured: since the transfer or the busy period began, since the last
    /// update without bytes before the first byte, or since ``TransferMeter/Transfer/start()`` restarted the
    /// measurement. If a transfer starts over, so does this time.
    public internal(set) var elapsedTime: Duration = .zero

    /// The time since bytes were last transferred, or since the measurement of the rate began. For all transfers
    /// together, this is the time of the open transfer to which this happened last. The time is `nil` if it is shorter
    /// than five seconds, if the transfer is complete or hasn't started, or if no transfer is open.
    public internal(set) var stalledTime: Duration?

    /// Whether the last rate and the last estimate no longer apply, because no bytes are transferred.
    var isPaused = false

    var waitingText: String?

    /// The progress from 0 to 1, or `nil` while the total is unknown. The fraction is 1 only if all expected bytes have
    /// been transferred.
    public var fractionCompleted: Double? {
        TransferProgress(completedBytes: completedBytes, totalBytes: totalBytes).fractionCompleted
    }

    /// The bytes as text: `24.1 of 62.6 MB`, `24.1 of ~62.6 MB` with an estimated total, or `24.1 MB` without a total.
    /// Both numbers have the unit of the total. From 1 MB on, they have up to three digits.
    public var bytesDescription: String {
        ProgressText.bytes(completedBytes, of: totalBytes, isRough: isTotalEstimated)
    }

    /// The rate as text, such as `13 MB/s`. The text is `nil` while the rate is unknown, while the transfer waits, and
    /// after two seconds without bytes.
    public var rateDescription: String? { isPaused ? nil : bytesPerSecond.map { ProgressText.rate($0) } }

    /// The time left as text, such as `3 s left`, rounded to the nearest second, and at least `1 s left`. Long times
    /// are in minutes or hours. If the transfer waits for its next attempt, the text is `waiting, 8 s`, and `offline`
    /// if it waits for the network. If it is stalled, the text is the stalled time, such as `stalled 9 s`. If it has
    /// had all its bytes for a second, but hasn't ended, the text is `waiting for the response`. If no more bytes are
    /// expected, but some are missing, the text is `incomplete`.
    ///
    /// If the transfer is complete, the text is the elapsed time, such as `in 12 s`. If it has bytes but no total, the
    /// text is `for 12 s`. If none of these cases applies, the text is `nil` while the time left can't be estimated,
    /// and after two seconds without bytes.
    public var timeDescription: String? {
        if let pauseText { return pauseText }
        if completedBytes == 0, totalBytes == nil { return nil }
        guard let totalBytes else { return "for \(elapsedTime.text(rounded: .down))" }
        if completedBytes == totalBytes { return "in \(elapsedTime.text(rounded: .down, hasTenths: true))" }
        if estimatedTimeRemaining == .zero { return "incomplete" }
        return isPaused ? nil : estimatedTimeRemaining.map { ProgressText.timeLeft($0) }
    }

    /// Why the transfer makes no progress, or `nil` if it makes progress.
    package var pauseText: String? { waitingText ?? stalledTime.map { "stalled \($0.text(rounded: .down))" } }

    /// The known parts of the status as text, such as `24.1 of 62.6 MB, 13 MB/s, 3 s left`.
    public var description: String {
        [bytesDescription, rateDescription, timeDescription].compactMap(\.self).joined(separator: ", ")
    }
}
