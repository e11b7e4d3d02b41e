import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The information about a task that `tracked()` or a tracked session records.
struct TaskActivity: Sendable {
    /// The reason why a running task may not be using the network yet.
    enum Wait {
        /// The session has reported that the task waits for connectivity.
        case connectivity
        /// The task belongs to a background session. Background sessions don't report waits, and may start a task hours
        /// after its `resume()`.
        case backgroundSession
    }

    let label: String?
    let origin: CallSite
    let wait: Wait?
    let began: SuspendingClock.Instant
    /// The number of resets of the manager before the task was tracked. A later reset ends the tracking.
    let resetCount: Int
}

extension URLSessionTask {
    /// The original request. `nil` if there is none, or if reading it would raise an exception.
    var readableRequest: URLRequest? { Self.isAssetDownload(type(of: self)) ? nil : originalRequest }

    /// Whether the task has received a response, or has sent or received body data. For an asset download, the progress
    /// replaces the response.
    var showsSignOfLife: Bool {
        if countOfBytesSent > 0 || countOfBytesReceived > 0 { return true }
        return Self.isAssetDownload(type(of: self)) ? progress.fractionCompleted > 0 : response != nil
    }

    /// Whether a task of this type raises an exception when its request or response is read (getsentry/sentry-cocoa
    /// #7886).
    ///
    /// The tasks' classes are private and differ between systems, but their names contain the names of the public
    /// classes.
    static func isAssetDownload(_ type: any Any.Type) -> Bool {
        let name = String(describing: type)
        return name.contains("AVAssetDownloadTask") || name.contains("AVAggregateAssetDownloadTask")
    }

    /// Whether a task of this type belongs to a background session. Only the class's name shows this, such as
    /// `__NSCFBackgroundDownloadTask`.
    static func isInBackgroundSession(_ type: any Any.Type) -> Bool { String(describing: type).contains("Background") }
}
