public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension Notification.Name {
    /// Posted when an attempt at a tracked request begins, before anything is sent.
    public static let networkRequestDidStart = Notification.Name("NetworkIndicator.networkRequestDidStart")

    /// Posted when an attempt has ended, once for each ``networkRequestDidStart``.
    public static let networkRequestDidFinish = Notification.Name("NetworkIndicator.networkRequestDidFinish")
}

/// The contents of a notification about an attempt.
///
/// ```swift
/// let observer = NotificationCenter.default.addObserver(
///     forName: .networkRequestDidFinish, object: nil, queue: nil
/// ) { notification in
///     guard let attempt = NetworkRequestNotification(notification) else { return }
///     print("\(attempt.request): \(attempt.error.map { "\($0)" } ?? "complete")")
/// }
/// ```
///
/// The notifications are posted on any thread, with the manager as their object. No notifications are posted for
/// `file:` and `data:` URLs.
public struct NetworkRequestNotification: Sendable {
    /// The caller's request. For an upload, this request has no body.
    public let request: URLRequest

    /// The number of the attempt. The number of the first attempt is 1.
    public let attempt: Int

    /// An identifier that all attempts of one call share.
    public let activityID: UUID

    /// The error of the attempt. The error is `nil` when the attempt begins, and after an attempt that received a
    /// complete response, whatever its status.
    public let error: (any Error)?

    /// Creates the contents of a notification, for example for a test of an observer.
    ///
    /// ```swift
    /// let contents = NetworkRequestNotification(
    ///     request: request, attempt: 1, activityID: UUID(), error: nil)
    /// NotificationCenter.default.post(
    ///     name: .networkRequestDidStart, object: nil, userInfo: contents.userInfo)
    /// ```
    public init(request: URLRequest, attempt: Int, activityID: UUID, error: (any Error)?) {
        self.request = request
        self.attempt = attempt
        self.activityID = activityID
        self.error = error
    }
}

extension NetworkRequestNotification {
    private static let key = "NetworkIndicator.attempt"

    /// The `userInfo` of a notification with these contents.
    public var userInfo: [AnyHashable: Any] { [Self.key: self] }

    /// Reads the contents of a notification, or returns `nil` if the notification isn't about an attempt.
    public init?(_ notification: Notification) {
        guard let contents = notification.userInfo?[Self.key] as? NetworkRequestNotification else { return nil }
        self = contents
    }
}
