import Foundation
import NetworkIndicatorTransfers
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct NetworkRequestNotificationTests {
    @Test func aProgramPostsItsOwn() throws {
        let url = try #require(URL(string: "http://h/"))
        let error = NetworkRequestError(underlyingError: URLError(.timedOut), attemptCount: 2, url: url)
        let contents = NetworkRequestNotification(
            request: URLRequest(url: url), attempt: 2, activityID: UUID(), error: error)
        let notification = Notification(name: .networkRequestDidFinish, userInfo: contents.userInfo)
        let read = try #require(NetworkRequestNotification(notification))
        #expect(read.request == contents.request && read.attempt == 2 && read.activityID == contents.activityID)
        #expect((read.error as? NetworkRequestError)?.code == .timedOut)
        #expect(NetworkRequestNotification(Notification(name: .networkRequestDidFinish)) == nil)
    }
}
