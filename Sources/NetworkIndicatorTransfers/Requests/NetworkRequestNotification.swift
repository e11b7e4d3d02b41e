public import Foundation

extension Notification.Name {
    /// Posted right before an attempt of a tracked request begins. The object is the manager. The user info has the keys of
    /// ``NetworkRequestNotification``, except for the error.
    public static let networkRequestDidStart = Notification.Name("NetworkIndicator.networkRequestDidStart")

    /// Posted once for each ``networkRequestDidStart``, when the attempt has ended. The object is the manager. The user
    /// info has the keys of ``NetworkRequestNotification``.
    public static let networkRequestDidFinish = Notification.Name("NetworkIndicator.networkRequestDidFinish")
}

/// The keys of the user info of notifications about an attempt.
///
/// Notifications are posted on the thread that makes the attempt. Nothing is posted for `file:` and `data:` URLs.
public enum NetworkRequestNotification {
    /// The `URLRequest` of the caller.
    public static let requestKey = "request"
    /// The number of the attempt, an `Int` counted from 1.
    public static let attemptKey = "attempt"
    /// The error of the attempt. The key is missing if the attempt returned a response, whatever its status.
    public static let errorKey = "error"
    /// A `UUID` that all attempts of one call share.
    public static let activityIDKey = "activityID"
}
