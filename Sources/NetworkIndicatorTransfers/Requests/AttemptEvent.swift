public import Foundation

/// An event of a tracked request.
///
/// ```swift
/// let (file, _) = try await URLSession.shared.trackedDownload(
///     for: request
/// ) { event in
///     switch event {
///     case .started(let attempt): print("attempt \(attempt)")
///     case .willRetry(let attempt, let failure, let delay):
///         let time = delay.formatted(
///             .units(fractionalPart: .show(length: 1)))
///         print("attempt \(attempt) in \(time): \(failure)")
///     case .waitingForConnectivity(let error):
///         print("offline: \(error.localizedDescription)")
///     case .receiving(let isResumable, _): print("resumable: \(isResumable)")
///     case .progress(let progress): print("\(progress.completedBytes) bytes")
///     case .finished: break  // the call returns or throws
///     }
/// }
/// ```
public enum AttemptEvent: Sendable {
    /// An attempt, counted from 1, begins.
    case started(attempt: Int)
    /// The attempt with this number begins after a delay, because the previous one failed.
    case willRetry(attempt: Int, failure: AttemptFailure, delay: Duration)
    /// The device is offline. The request waits until it may be online again, and then makes another attempt.
    ///
    /// If that attempt fails for the same reason, the event occurs again. On Apple's systems, a session that
    /// `waitsForConnectivity` waits within the same attempt, which then continues without another event of a start.
    case waitingForConnectivity(error: URLError)
    /// A download begins to receive its file. This event precedes the progress of the attempt.
    ///
    /// If `isResumable` is `false`, a part of the file can't be resumed: the server doesn't accept ranges, sends no strong
    /// validator or no length, or compresses the file. See ``DownloadOptions/keepsPartialFile``.
    ///
    /// If `isVerifiable` is `false`, a truncated file may look complete: the server compresses it, or the end of the
    /// connection is its only end. URLSession doesn't check where compressed data ends.
    case receiving(isResumable: Bool, isVerifiable: Bool)
    /// The attempt has transferred more bytes: of the response, or of the body that is uploaded.
    ///
    /// The event occurs at most ten times a second, and once more for the last bytes when the attempt ends.
    case progress(TransferProgress)
    /// The call ends. A complete file is at its destination.
    ///
    /// This event occurs once, as the last one, before the call returns or throws. A cancelled call doesn't wait for the
    /// handler, so this event can come just after it has thrown.
    case finished
}
