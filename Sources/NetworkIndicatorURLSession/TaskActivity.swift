import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct TaskActivity: Sendable {
    enum Wait {
        case connectivity
        /// A background session doesn't report waits, and the system may start its tasks hours after `resume()`.
        case backgroundSession
    }

    let label: String?
    let origin: CallSite
    let wait: Wait?
    let began: SuspendingClock.Instant
    let resetCount: Int
}

extension URLSessionTask {
    var readableRequest: URLRequest? { Self.isAssetDownload(type(of: self)) ? nil : originalRequest }

    var hasTransferredData: Bool {
        if countOfBytesSent > 0 || countOfBytesReceived > 0 { return true }
        return Self.isAssetDownload(type(of: self)) ? progress.fractionCompleted > 0 : response != nil
    }

    /// Reading the request or response of an asset download raises an exception (getsentry/sentry-cocoa#7886). The
    /// classes of such tasks are private, but their names contain the names of the public classes.
    static func isAssetDownload(_ type: any Any.Type) -> Bool {
        let name = String(describing: type)
        return name.contains("AVAssetDownloadTask") || name.contains("AVAggregateAssetDownloadTask")
    }

    /// Of a task whose session isn't tracked, only the name of the class, such as `__NSCFBackgroundDownloadTask`,
    /// reveals that the task belongs to a background session.
    static func isInBackgroundSession(_ type: any Any.Type) -> Bool { String(describing: type).contains("Background") }
}
