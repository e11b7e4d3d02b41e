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

    static let key = "NetworkIndicator.attempt"
}

extension NetworkRequestNotification {
    /// Returns `nil` if the notification isn't about an attempt.
    public init?(_ notification: Notification) {
        guard let contents = notification.userInfo?[Self.key] as? Self else { return nil }
        self = contents
    }
}
