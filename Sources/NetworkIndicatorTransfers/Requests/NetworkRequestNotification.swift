public import Foundation

extension Notification.Name {
    /// Posted when an attempt at a tracked request begins, before anything is sent.
    public static let networkRequestDidStart = Notification.Name("NetworkIndicator.networkRequestDidStart")

    /// Posted when an attempt has ended, once for each ``networkRequestDidStart``.
    public static let networkRequestDidFinish = Notification.Name("NetworkIndicator.networkRequestDidFinish")
}

/// The user info keys of the notifications about attempts.
///
/// The notifications are posted on any thread, with the manager as their object. No notifications are posted for
/// `file:` and `data:` URLs.
public enum NetworkRequestNotification {
    /// The key of the caller's `URLRequest`. For an upload, this request has no body.
    public static let requestKey = "request"
    /// The key of the attempt's number, an `Int` counted from 1.
    public static let attemptKey = "attempt"
    /// The key of the attempt's error. The key is missing from start notifications, and from the finish notifications
    /// of attempts that received a complete response, whatever its status.
    public static let errorKey = "error"
    /// The key of a `UUID` that all attempts of one call share.
    public static let activityIDKey = "activityID"
}
