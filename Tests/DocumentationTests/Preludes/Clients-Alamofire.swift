import Foundation
import FoundationNetworking
import NetworkIndicator
import NetworkIndicatorURLSession

// The declarations of Alamofire 5 that the samples use.
class Request: @unchecked Sendable {
    static let didResumeTaskNotification = Notification.Name("org.alamofire.notification.name.request.didResumeTask")
    static let didSuspendTaskNotification = Notification.Name("org.alamofire.notification.name.request.didSuspendTask")
    static let didCancelTaskNotification = Notification.Name("org.alamofire.notification.name.request.didCancelTask")
    static let didCompleteTaskNotification = Notification.Name(
        "org.alamofire.notification.name.request.didCompleteTask")
}
extension Notification {
    var request: Request? { userInfo?["org.alamofire.notification.key.request"] as? Request }
}
protocol EventMonitor: Sendable {
    var queue: DispatchQueue { get }
    func request(_ request: Request, didCreateTask task: URLSessionTask)
}
class SessionDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {}
class Session: @unchecked Sendable {
    init(
        session: URLSession, delegate: SessionDelegate, rootQueue: DispatchQueue,
        startRequestsImmediately: Bool = true, eventMonitors: [any EventMonitor] = []
    ) {}
    init(eventMonitors: [any EventMonitor] = []) {}
}
