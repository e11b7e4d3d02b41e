import Foundation
import FoundationNetworking
import NetworkIndicator
import NetworkIndicatorURLSession

let manager = NetworkIndicatorManager.shared
let taskDidResume = Notification.Name("resume")
let taskDidSuspend = Notification.Name("suspend")
let taskDidComplete = Notification.Name("complete")
