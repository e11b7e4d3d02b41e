import Foundation

extension Notification.Name {
    static let taskDidResume = Notification.Name("resume")
    static let taskDidSuspend = Notification.Name("suspend")
    static let taskDidComplete = Notification.Name("complete")
}
