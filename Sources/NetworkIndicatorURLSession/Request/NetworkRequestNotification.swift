public import Foundation

extension Notification.Name {
    /// Posted right before an attempt at a tracked request begins. The object is the manager, and the user info has the
    /// keys of ``NetworkRequestNotification``, except for an error.
    public static let networkRequestDidStart = Notification.Name("NetworkIndicator.networkRequestDidStart")

    /// Posted once for each ``networkRequestDidStart``, when the attempt is over. The object is the manager, and the user
    /// info has the keys of ``NetworkRequestNotification``.
    public static let networkRequestDidFinish = Notification.Name("NetworkIndicator.networkRequestDidFinish")
}

/// The keys of what is told about an attempt.
///
/// Notifications come on whatever thread makes the attempt. `file:` and `data:` URLs are not network use: nothing is
/// posted for them.
public enum NetworkRequestNotification {
    /// The `URLRequest` as the caller made it.
    public static let requestKey = "request"
    /// The number of the attempt, an `Int` counted from 1.
    public static let attemptKey = "attempt"
    /// The error that an attempt ended with; without one it got a response, whatever its status.
    public static let errorKey = "error"
    /// A `UUID` that all attempts of one call have in common.
    public static let activityIDKey = "activityID"
}
