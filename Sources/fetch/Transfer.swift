import Foundation
import NetworkIndicatorTracing
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The state of a download.
final class Transfer: Sendable {
    /// What the main actor receives.
    enum Event: Sendable {
        /// A wait, with the progress of the attempt before it, or the attempt that follows.
        case attempt(AttemptEvent, TransferProgress?)
        /// The result, and how long the transfer took, waits included.
        case ended(Result<URLResponse, any Error>, time: Duration)
    }

    private struct Received: Sendable {
        var progress: TransferProgress?
        var hasTotal = false
        var continuedBytes: Int64
    }

    let download: Download
    let meter: TransferMeter.Transfer
    private let received: Locked<Received>
    @MainActor var attempts = 1
    @MainActor var retries = 0
    @MainActor var isOffline = false
    /// When the next attempt begins; `nil` if the transfer waits for the network. Valid during a wait.
    @MainActor var waitEnd: ContinuousClock.Instant?
    /// The current wait in the timeline.
    @MainActor var wait: TimelineRecorder.Wait?

    /// - Parameter keptBytes: The number of bytes that an earlier run has kept.
    init(_ download: Download, in meter: TransferMeter, keptBytes: Int64) {
        self.download = download
        self.meter = meter.beginTransfer(label: download.path, completedBytes: keptBytes)
        received = Locked(Received(continuedBytes: keptBytes))
    }

    /// The progress of the current attempt.
    var progress: TransferProgress? { received.withLock { $0.progress } }

    /// Whether the server has announced the length.
    var hasTotal: Bool { received.withLock { $0.hasTotal } }

    /// The bytes of the part that was continued.
    var continuedBytes: Int64 { received.withLock { $0.continuedBytes } }

    /// Updates the progress. Any thread.
    ///
    /// - Returns: The event for the main actor, or `nil` if it doesn't need this one. A download without waits needs
    ///   none before its end.
    func note(_ event: AttemptEvent) -> Event? {
        switch event {
        case .started(let attempt):
            received.withLock { $0.progress = nil }
            meter.start()
            return attempt > 1 ? .attempt(event, nil) : nil
        case .progress(let progress):
            update(progress)
            return nil
        case .willRetry, .waitingForConnectivity:
            return .attempt(event, progress)
        case .finished:
            return nil
        }
    }

    private func update(_ progress: TransferProgress) {
        received.withLock { received in
            // If the server doesn't confirm the kept part, the download starts over.
            if progress.completedBytes < received.continuedBytes { received.continuedBytes = 0 }
            received.progress = progress
            received.hasTotal = progress.totalBytes != nil
        }
        meter.update(progress)
    }
}
