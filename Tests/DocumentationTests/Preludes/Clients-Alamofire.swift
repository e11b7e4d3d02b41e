import Foundation
import FoundationNetworking
import NetworkIndicator
import NetworkIndicatorURLSession

let url = URL(string: "https://example.com/atlas.zip")!

// Alamofire 5.12
class Request: @unchecked Sendable {
    static let didResumeTaskNotification = Notification.Name("org.alamofire.notification.name.request.didResumeTask")
    static let didSuspendTaskNotification = Notification.Name("org.alamofire.notification.name.request.didSuspendTask")
    static let didCancelTaskNotification = Notification.Name("org.alamofire.notification.name.request.didCancelTask")
    static let didCompleteTaskNotification = Notification.Name(
        "org.alamofire.notification.name.request.didCompleteTask")
    static let didFinishNotification = Notification.Name("org.alamofire.notification.name.request.didFinish")
    var isResumed: Bool { true }
}
extension Notification {
    var request: Request? { userInfo?["org.alamofire.notification.key.request"] as? Request }
}
protocol EventMonitor: Sendable {
    var queue: DispatchQueue { get }
    func request(_ request: Request, didCreateTask task: URLSessionTask)
}
extension EventMonitor {
    var queue: DispatchQueue { .main }
    func request(_ request: Request, didCreateTask task: URLSessionTask) {}
}
final class AlamofireNotifications: EventMonitor {}
class SessionDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {}
class Session: @unchecked Sendable {
    init(
        session: URLSession, delegate: SessionDelegate, rootQueue: DispatchQueue,
        startRequestsImmediately: Bool = true, eventMonitors: [any EventMonitor] = [AlamofireNotifications()]
    ) {}
    init(eventMonitors: [any EventMonitor] = [AlamofireNotifications()]) {}
    func request(_ convertible: URL) -> DataRequest { DataRequest() }
}
class DataRequest: Request, @unchecked Sendable {
    func serializingData() -> DataTask<Data> { DataTask() }
}
struct DataTask<Value: Sendable>: Sendable {
    var response: DataResponse { get async { DataResponse() } }
}
struct DataResponse: Sendable { var data: Data? }
let AF = Session()

struct MyMonitor: EventMonitor {}
