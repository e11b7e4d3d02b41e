import Foundation
import FoundationNetworking
import NetworkIndicator

// AFNetworking 4
nonisolated extension Notification.Name {
    static let AFNetworkingTaskDidResume = Notification.Name("com.alamofire.networking.task.resume")
    static let AFNetworkingTaskDidSuspend = Notification.Name("com.alamofire.networking.task.suspend")
    static let AFNetworkingTaskDidComplete = Notification.Name("com.alamofire.networking.task.complete")
}
