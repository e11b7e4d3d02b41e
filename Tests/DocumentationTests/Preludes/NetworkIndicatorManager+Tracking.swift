import Foundation

let operation = BlockOperation {}
let url = URL(filePath: "/dev/null")
struct API: Sendable {
    func users() async throws -> [String] { [] }
}
let api = API()

extension Notification.Name {
    static let taskDidResume = Notification.Name("resume")
    static let taskDidSuspend = Notification.Name("suspend")
    static let taskDidComplete = Notification.Name("complete")
}
