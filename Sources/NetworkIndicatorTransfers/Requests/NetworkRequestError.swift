public import Foundation
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The error that a tracked request throws if its last attempt fails with a `URLError`, if the policy doesn't accept
/// the response's status, or if the session is a background session.
///
/// ```swift
/// do {
///     let (data, _) = try await URLSession.shared.trackedData(from: url)
///     print("\(data.count) bytes")
/// } catch let error as NetworkRequestError {
///     if error.code == .timedOut {
///         print("No response in \(error.attemptCount) attempts")
///     } else {
///         print(error.underlyingError.localizedDescription)
///     }
/// }
/// ```
///
/// `catch let error as URLError` doesn't match this error. Its `URLError` is ``underlyingError``.
public struct NetworkRequestError: Error, Sendable {
    /// The error of the last attempt or, if an offline wait was too long, the error that began the wait. For a
    /// background session, the error has the code `unknown`, and for a status that isn't accepted, `badServerResponse`.
    public let underlyingError: URLError

    /// The number of attempts, including those while the device was offline. Zero for a background session.
    public let attemptCount: Int
    /// The time for which the request waited for a network, if the request failed because this time was too long.
    /// Otherwise, `nil`. See ``TrackedRetryPolicy/connectivityTimeout``.
    public internal(set) var offlineTime: Duration?

    /// The URL of the request, before redirects.
    public let url: URL?

    /// The response, if its status isn't one of the ``TrackedRetryPolicy/acceptedStatusCodes``. Otherwise, `nil`.
    public internal(set) var response: HTTPURLResponse?

    /// The code of the underlying error.
    public var code: URLError.Code { underlyingError.code }
}

extension NetworkRequestError: LocalizedError, CustomStringConvertible {
    /// The reason, and the number of attempts or, if the request waited too long for a network, the offline time. An
    /// example is `cannot connect to h.example (after 3 attempts)`.
    ///
    /// The text doesn't contain the URL, so that a message can begin with the name of the request:
    /// `"\(name): \(error)"`.
    public var description: String {
        let attempts = attemptCount > 1 ? "after \(attemptCount) attempts" : nil
        let detail = offlineTime.map { "offline for \(Int($0 / .seconds(1))) s" } ?? attempts
        return underlyingError.reason + (detail.map { " (\($0))" } ?? "")
    }

    /// On Linux, the ``description``. On Apple's systems, the `localizedDescription` of ``underlyingError``, for
    /// example for an alert in the user's language.
    public var errorDescription: String? { errorDescription(isLocalized: URLError.isLocalized) }

    func errorDescription(isLocalized: Bool) -> String {
        isLocalized ? underlyingError.localizedDescription : description
    }
}
