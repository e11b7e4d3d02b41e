public import Foundation
// Without this attribute, each file that uses a meter would need a second import.
@_exported public import NetworkIndicatorProgress

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
    /// An attempt begins. The number of the first attempt is 1.
    case started(attempt: Int)
    /// The latest attempt has failed, and the attempt with the given number begins after the delay.
    case willRetry(attempt: Int, failure: AttemptFailure, delay: Duration)
    /// The device is offline. The call makes another attempt after a pause, or earlier if the connectivity monitor
    /// reports a change. The pauses grow from 1 s to 30 s.
    ///
    /// If that attempt also fails because the device is offline, and the call waits again, the event occurs again. If
    /// URLSession waits instead (see ``TrackedRetryPolicy/connectivityTimeout``), no further attempt follows.
    case waitingForConnectivity(error: URLError)
    /// A download begins to receive its file. This event precedes the progress events of the attempt. For a file of at
    /// most 16 kB, it can wait for them.
    ///
    /// `isResumable` is `true` if the request and this response meet the conditions that
    /// ``DownloadOptions/keepsPartialFile`` lists.
    ///
    /// `isVerifiable` is `false` if an HTTP response has neither a `Content-Length` nor a `Transfer-Encoding` header
    /// or, unless libcurl stores the file, if the server compresses it. In both cases, a truncated file may appear
    /// complete.
    case receiving(isResumable: Bool, isVerifiable: Bool)
    /// The progress of the response's body or, for an upload, of the request's body.
    ///
    /// The event occurs at most ten times a second. Regardless of this limit, it also occurs when a download begins to
    /// receive its file, and for the last bytes of an attempt. If the total was unknown, another event with the total
    /// follows a successful attempt.
    case progress(TransferProgress)
    /// The last event, just before the call returns or throws. After a successful download, the file is at its
    /// destination.
    ///
    /// A cancelled call doesn't wait for the handler, so the last events can occur just after the call has thrown.
    case finished
}

/// The reason for the failure of an attempt.
public enum AttemptFailure: Sendable, CustomStringConvertible {
    /// The attempt received no complete response.
    case transport(URLError)
    /// The policy retries requests after this status. `retryAfter` is the wait that the response's `Retry-After` header
    /// requests, or `nil` if the header is missing or invalid.
    case status(Int, retryAfter: Duration?)

    public var description: String {
        switch self {
        case .transport(let error): error.reason
        case .status(let status, _): HTTPURLResponse.reason(status)
        }
    }
}

extension TransferMeter.Transfer {
    /// Applies an event of a tracked request, so that you can pass this method as `onEvent`.
    ///
    /// A start and progress have the effects of `start()` and `update(_:)`, the last event finishes the transfer, and
    /// the waits appear in the meter's `waitingText`. Use a new transfer for the next request.
    @Sendable public func receive(_ event: AttemptEvent) {
        switch event {
        case .started: start()
        case .willRetry(_, _, let delay): wait(delay)
        case .waitingForConnectivity: wait(nil)
        case .receiving: beginResponse()
        case .progress(let progress): update(progress)
        case .finished: finish()
        }
    }
}
