import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a call of `tracked()`, or a tracked session, knows about a task.
struct TaskActivity: Sendable {
    /// Why a running task may not use the network yet.
    enum Wait {
        /// The session has reported that the task waits for connectivity.
        case connectivity
        /// Background sessions don't report waits, and may begin a task hours after its `resume()`.
        case backgroundSession
    }

    let label: String?
    let origin: CallSite
    let wait: Wait?
    let began: SuspendingClock.Instant
    /// How often the manager had been reset.
    let resetCount: Int
}

extension URLSessionTask {
    /// The original request, unless reading it raises an exception.
    var readableRequest: URLRequest? { Self.isAssetDownload(type(of: self)) ? nil : originalRequest }

    /// Whether the task has sent or received anything. The counters don't include headers.
    var showsSignOfLife: Bool {
        if countOfBytesSent > 0 || countOfBytesReceived > 0 { return true }
        return Self.isAssetDownload(type(of: self)) ? progress.fractionCompleted > 0 : response != nil
    }

    /// Whether reading the request or the response of such a task raises an exception (getsentry/sentry-cocoa #7886).
    ///
    /// The classes are private and differ between systems, but their names contain those of the public classes.
    static func isAssetDownload(_ type: any Any.Type) -> Bool {
        let name = String(describing: type)
        return name.contains("AVAssetDownloadTask") || name.contains("AVAggregateAssetDownloadTask")
    }

    /// Whether such a task belongs to a background session. The names of the classes are the only sign, such as
    /// `__NSCFBackgroundDownloadTask`.
    static func isInBackgroundSession(_ type: any Any.Type) -> Bool { String(describing: type).contains("Background") }
}
