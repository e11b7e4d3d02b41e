import Foundation
import FoundationNetworking
import NetworkIndicator

// The declarations of AFNetworking 4 that the sample uses.
extension Notification.Name {
    static let AFNetworkingTaskDidResume = Notification.Name("com.alamofire.networking.task.resume")
    static let AFNetworkingTaskDidSuspend = Notification.Name("com.alamofire.networking.task.suspend")
    static let AFNetworkingTaskDidComplete = Notification.Name("com.alamofire.networking.task.complete")
}
