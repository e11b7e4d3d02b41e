public import Foundation

extension Notification.Name {
    /// Posted immediately before an attempt of a tracked request begins. The object is the manager. The user info has
    /// the keys of ``NetworkRequestNotification``, except for the error.
    public static let networkRequestDidStart = Notification.Name("NetworkIndicator.networkRequestDidStart")

    /// Posted once for each ``networkRequestDidStart``, when the attempt has ended. The object is the manager. The user
    /// info has the keys of ``NetworkRequestNotification``.
    public static let networkRequestDidFinish = Notification.Name("NetworkIndicator.networkRequestDidFinish")
}

/// The keys of the user info of notifications about an attempt.
///
/// Notifications are posted on the thread that makes the attempt. No notifications are posted for `file:` and `data:`
/// URLs.
public enum NetworkRequestNotification {
    /// The key of the caller's `URLRequest`.
    public static let requestKey = "request"
    /// The key of the attempt's number, an `Int` counted from 1.
    public static let attemptKey = "attempt"
    /// The key of the attempt's error. If the attempt returned a response, whatever its status, the key is missing.
    public static let errorKey = "error"
    /// The key of a `UUID` that all attempts of one call share.
    public static let activityIDKey = "activityID"
}
