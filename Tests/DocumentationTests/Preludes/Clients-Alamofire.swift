import Foundation
import FoundationNetworking
import NetworkIndicator
import NetworkIndicatorURLSession

let url = URL(string: "https://example.com/atlas.zip")!

// Alamofire 5.12
nonisolated class Request: @unchecked Sendable {
    static let didResumeTaskNotification = Notification.Name("org.alamofire.notification.name.request.didResumeTask")
    static let didSuspendTaskNotification = Notification.Name("org.alamofire.notification.name.request.didSuspendTask")
    static let didCancelTaskNotification = Notification.Name("org.alamofire.notification.name.request.didCancelTask")
    static let didCompleteTaskNotification = Notification.Name(
        "org.alamofire.notification.name.request.didCompleteTask")
    static let didFinishNotification = Notification.Name("org.alamofire.notification.name.request.didFinish")
    var isResumed: Bool { true }
}
nonisolated extension Notification {
    var request: Request? { userInfo?["org.alamofire.notification.key.request"] as? Request }
}
nonisolated protocol EventMonitor: Sendable {
    var queue: DispatchQueue { get }
    func request(_ request: Request, didCreateTask task: URLSessionTask)
}
nonisolated extension EventMonitor {
    var queue: DispatchQueue { .main }
    func request(_ request: Request, didCreateTask task: URLSessionTask) {}
}
nonisolated final class AlamofireNotifications: EventMonitor {}
nonisolated class SessionDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {}
nonisolated class Session: @unchecked Sendable {
    init(
        session: URLSession, delegate: SessionDelegate, rootQueue: DispatchQueue,
        startRequestsImmediately: Bool = true, eventMonitors: [any EventMonitor] = [AlamofireNotifications()]
    ) {}
    init(eventMonitors: [any EventMonitor] = [AlamofireNotifications()]) {}
    func request(_ convertible: URL) -> DataRequest { DataRequest() }
}
nonisolated class DataRequest: Request, @unchecked Sendable {
    func serializingData() -> DataTask<Data> { DataTask() }
}
nonisolated struct DataTask<Value: Sendable>: Sendable {
    var response: DataResponse { get async { DataResponse() } }
}
nonisolated struct DataResponse: Sendable { var data: Data? }
let AF = Session()

struct MyMonitor: EventMonitor {}
