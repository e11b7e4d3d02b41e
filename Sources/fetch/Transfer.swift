import Foundation
import NetworkIndicator
import NetworkIndicatorTracing
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A file to fetch, and the state of its download.
final class Transfer: Sendable {
    /// What the main actor receives.
    enum Event: Sendable {
        /// A wait, with the attempt that follows.
        case attempt(AttemptEvent)
        /// The result, and how long the transfer took, waits included.
        case ended(Result<URLResponse, any Error>, time: Duration)
    }

    private struct State: Sendable {
        var progress: TransferProgress?
        var hasTotal = false
        var continuedBytes: Int64
        /// Whether an attempt is being made.
        var isActive = false
    }

    let url: URL
    /// The path of the finished file, for messages.
    let path: String
    let destination: URL
    /// The file that receives the bytes until they are complete, and that a later run can resume.
    let partialFile: URL
    let meter: TransferMeter.Transfer
    private let state: Lock<State>
    @MainActor var attempts = 1
    @MainActor var retries = 0
    @MainActor var isOffline = false
    /// When the next attempt begins; `nil` if the transfer waits for the network. Valid during a wait.
    @MainActor var waitEnd: ContinuousClock.Instant?
    /// The current wait in the timeline.
    @MainActor var wait: TimelineRecorder.Wait?

    /// - Parameters:
    ///   - directory: The working directory. Without it, Foundation would expand a tilde at the beginning of the path.
    ///   - options: How the file is written.
    init(
        _ url: URL, path: String, in directory: String, meter: TransferMeter, options: DownloadOptions
    ) {
        self.url = url
        self.path = options.stream == nil ? path : "-"
        destination = URL(
            fileURLWithPath: path.hasPrefix("/") ? path : Directory.path(path, in: directory), isDirectory: false)
        let hidden = destination.deletingLastPathComponent().appendingPathComponent(
            ".\(destination.lastPathComponent)", isDirectory: false)
        partialFile = options.partialFile(for: hidden)
        let keptBytes = options.startsOver ? 0 : Self.size(of: partialFile) ?? 0
        self.meter = meter.beginTransfer(label: self.path, completedBytes: keptBytes)
        state = Lock(State(continuedBytes: keptBytes))
    }

    /// The name in the timeline, which is unique.
    var label: String { "\(path) (\(url.withoutCredentials))" }

    /// The size of the finished file, if it exists.
    var finishedBytes: Int64? { Self.size(of: destination) }

    /// The number of bytes that a later run can resume.
    var keptBytes: Int64 { Self.size(of: partialFile) ?? 0 }

    private static func size(of file: URL) -> Int64? {
        var status = stat()
        return lstat(file.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }

    /// The progress of the current attempt.
    var progress: TransferProgress? { state.withLock(\.progress) }

    /// Whether the server has announced the length.
    var hasTotal: Bool { state.withLock(\.hasTotal) }

    /// The bytes of the resumed part.
    var continuedBytes: Int64 { state.withLock(\.continuedBytes) }

    /// The bytes of the current attempt, or `nil` during a wait.
    var activeBytes: Int64? { state.withLock { $0.isActive ? $0.progress?.completedBytes ?? 0 : nil } }

    /// Updates the progress. Any thread.
    ///
    /// - Returns: The event for the main actor, or `nil` if it doesn't need this one. During a download without
    ///   waits, it needs none.
    func note(_ event: AttemptEvent) -> Event? {
        switch event {
        case .started(let attempt):
            state.withLock { ($0.progress, $0.isActive) = (nil, true) }
            meter.start()
            return attempt > 1 ? .attempt(event) : nil
        case .progress(let progress):
            state.withLock { state in
                // If the server doesn't confirm the kept part, the download starts over.
                if progress.completedBytes < state.continuedBytes { state.continuedBytes = 0 }
                state.progress = progress
                state.hasTotal = progress.totalBytes != nil
            }
            meter.update(progress)
            return nil
        case .willRetry, .waitingForConnectivity:
            state.withLock { $0.isActive = false }
            return .attempt(event)
        case .receiving(let isResumable): return isResumable ? nil : .attempt(event)
        case .finished: return nil
        }
    }
}
