import Foundation
import NetworkIndicator
import NetworkIndicatorTracing
import NetworkIndicatorTransfers
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A file to fetch, and the state of its download.
final class Transfer: Sendable {
    /// What the main actor receives.
    enum Event: Sendable {
        /// The beginning of a wait, a later attempt, or a file that can't be resumed.
        case attempt(AttemptEvent)
        /// The result, and how long the transfer took, waits included.
        case ended(Result<URLResponse, any Error>, time: Duration)
    }

    private struct State: Sendable {
        var progress: TransferProgress?
        var continuedBytes: Int64
        /// Whether an attempt is being made.
        var isActive = false
    }

    let url: URL
    /// The path of the finished file, for messages.
    let path: String
    let destination: URL
    /// How the file is written. The partial file receives the bytes until they are complete, and a later run can resume
    /// it.
    let options: DownloadOptions
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
    ///   - options: How all files are written.
    init(_ url: URL, path: String, in directory: String, meter: TransferMeter, options: DownloadOptions) {
        self.url = url
        self.path = options.stream == nil ? path : "-"
        let isAbsolute = path.unicodeScalars.first == "/"
        destination = URL(
            fileURLWithPath: isAbsolute ? path : Directory.path(path, in: directory), isDirectory: false)
        let hidden = destination.deletingLastPathComponent().appendingPathComponent(
            ".\(destination.lastPathComponent)", isDirectory: false)
        var ownOptions = options
        ownOptions.partialFile = options.partialFile(for: hidden)
        self.options = ownOptions
        let keptBytes = options.startsOver ? 0 : Self.size(of: ownOptions.partialFile) ?? 0
        self.meter = meter.beginTransfer(label: self.path, completedBytes: keptBytes)
        state = Lock(State(continuedBytes: keptBytes))
    }

    /// The name in the timeline, which is unique.
    var label: String { "\(path) (\(url.withoutCredentials))" }

    /// The size of the finished file, if it exists. It may be a link, whose target may be missing, but no directory.
    var finishedBytes: Int64? {
        var status = stat()
        guard lstat(destination.path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return nil }
        return stat(destination.path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// The number of bytes that a later run can resume.
    var keptBytes: Int64 { options.keepsPartialFile ? Self.size(of: options.partialFile) ?? 0 : 0 }

    private static func size(of file: URL?) -> Int64? {
        var status = stat()
        guard let file, lstat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// The latest progress.
    var progress: TransferProgress? { state.withLock(\.progress) }

    /// The bytes of the resumed part.
    var continuedBytes: Int64 { state.withLock(\.continuedBytes) }

    /// The bytes so far, or `nil` during a wait.
    var activeBytes: Int64? { state.withLock { $0.isActive ? $0.progress?.completedBytes ?? 0 : nil } }

    /// Updates the progress. Any thread.
    ///
    /// - Returns: The event for the main actor, or `nil` if the main actor doesn't need it. During a download without
    ///   waits, it needs none.
    func note(_ event: AttemptEvent) -> Event? {
        switch event {
        case .started(let attempt):
            state.withLock { $0.isActive = true }
            meter.start()
            return attempt > 1 ? .attempt(event) : nil
        case .progress(let progress):
            state.withLock { state in
                // If the server doesn't confirm the kept part, the download starts over.
                if progress.completedBytes < state.continuedBytes { state.continuedBytes = 0 }
                state.progress = progress
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
