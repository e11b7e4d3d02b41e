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
    /// An attempt begins. Attempts are counted from 1.
    case started(attempt: Int)
    /// The attempt with this number begins after a delay, because the previous attempt failed.
    case willRetry(attempt: Int, failure: AttemptFailure, delay: Duration)
    /// The device is offline. The call waits until the device may be online again, and then makes another attempt.
    ///
    /// If that attempt fails for the same reason, the event occurs again. On Apple's platforms, a session that sets
    /// `waitsForConnectivity` waits within the same attempt. That attempt then continues without another
    /// ``started(attempt:)`` event.
    case waitingForConnectivity(error: URLError)
    /// A download begins to receive its file. This event precedes the progress events of the attempt.
    ///
    /// If `isResumable` is `false`, the download can't be resumed: the server doesn't accept ranges, sends no strong
    /// validator or no length, or compresses the file. See ``DownloadOptions/keepsPartialFile``.
    ///
    /// If `isVerifiable` is `false`, a truncated file may appear complete: the server compresses the file, or only the
    /// end of the connection marks the end of the file. URLSession doesn't check where compressed data ends.
    case receiving(isResumable: Bool, isVerifiable: Bool)
    /// The attempt has transferred more bytes of the response, or for an upload, more bytes of the request's body.
    ///
    /// The event occurs at most ten times a second, and once more for the last bytes when the attempt ends.
    case progress(TransferProgress)
    /// The call ends. A complete file is at its destination.
    ///
    /// This event occurs once, as the last event, before the call returns or throws. A cancelled call doesn't wait for
    /// the handler, so this event and pending events can occur just after the call has thrown.
    case finished
}
