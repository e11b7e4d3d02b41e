import NetworkIndicatorTracing
import NetworkIndicatorURLSession

/// A download on its way.
@MainActor
final class Transfer {
    enum Phase: Equatable {
        case queued
        case active
        /// Between two attempts, until a time or for the network.
        case waiting(until: ContinuousClock.Instant?)
        case ended
    }

    let download: Download
    let meter: TransferMeter.Transfer
    var phase = Phase.queued
    var began = ContinuousClock.now
    var attempts = 0
    var retries = 0
    var isOffline = false
    /// Of the present attempt.
    var progress: TransferProgress?
    /// Whether the server has announced the length.
    private(set) var hasTotal = false
    /// The bytes of the part that was continued.
    private(set) var continuedBytes: Int64
    /// The recorded wait.
    var wait: TimelineRecorder.Wait?

    /// - Parameter keptBytes: The number of bytes that an earlier run has left.
    init(_ download: Download, in meter: TransferMeter, keptBytes: Int64) {
        self.download = download
        self.meter = meter.beginTransfer(label: download.path, completedBytes: keptBytes)
        continuedBytes = keptBytes
    }

    var time: Duration { began.duration(to: .now) }

    func update(_ progress: TransferProgress) {
        // The server has not confirmed the kept part, and the download starts over.
        if progress.completedBytes < continuedBytes { continuedBytes = 0 }
        self.progress = progress
        hasTotal = progress.totalBytes != nil
        meter.update(progress)
    }
}
