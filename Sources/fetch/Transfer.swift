import NetworkIndicatorTracing
import NetworkIndicatorURLSession

/// The state of a download.
@MainActor
final class Transfer {
    enum Phase: Equatable {
        case queued
        case active
        /// The transfer waits between two attempts: until a time, or, if it is `nil`, for the network.
        case waiting(until: ContinuousClock.Instant?)
    }

    let download: Download
    let meter: TransferMeter.Transfer
    var phase = Phase.queued
    var began = ContinuousClock.now
    var attempts = 0
    var retries = 0
    var isOffline = false
    /// The progress of the current attempt.
    var progress: TransferProgress?
    /// Whether the server has announced the length.
    private(set) var hasTotal = false
    /// The bytes of the part that was continued.
    private(set) var continuedBytes: Int64
    /// The current wait in the timeline.
    var wait: TimelineRecorder.Wait?

    /// - Parameter keptBytes: The number of bytes that an earlier run has kept.
    init(_ download: Download, in meter: TransferMeter, keptBytes: Int64) {
        self.download = download
        self.meter = meter.beginTransfer(label: download.path, completedBytes: keptBytes)
        continuedBytes = keptBytes
    }

    var time: Duration { began.duration(to: .now) }

    func update(_ progress: TransferProgress) {
        // If the server doesn't confirm the kept part, the download starts over.
        if progress.completedBytes < continuedBytes { continuedBytes = 0 }
        self.progress = progress
        hasTotal = progress.totalBytes != nil
        meter.update(progress)
    }
}
