public import Foundation
import NetworkIndicatorURLSession

/// The error that a tracked request throws after its last attempt.
///
/// ```swift
/// do {
///     let (data, _) = try await URLSession.shared.trackedData(from: url)
///     print("\(data.count) bytes")
/// } catch let error as NetworkRequestError where error.code == .timedOut {
///     print("No response from \(url) in \(error.attempts) attempts")
/// }
/// ```
public struct NetworkRequestError: Error, Sendable {
    /// The error of the last attempt. If an offline wait was too long, this is the error that began the wait.
    ///
    /// On Apple's platforms, its `localizedDescription` is URLSession's description. On Linux, URLSession has few
    /// descriptions. There, the `localizedDescription` is part of this error's ``description``.
    public let underlyingError: URLError

    /// The number of attempts, including attempts while the device was offline.
    public let attempts: Int
    /// The time for which the request waited for a network. `nil` unless the request failed because the wait was too
    /// long. See ``TrackedRetryPolicy/connectivityTimeout``.
    public let offlineTime: Duration?

    /// The URL of the request, before redirects.
    public let url: URL?

    /// The code of the underlying error.
    public var code: URLError.Code { underlyingError.code }
}

extension NetworkRequestError: LocalizedError, CustomStringConvertible {
    /// A description of the failure in English: the URL, the cause such as "the connection was lost after 10 B of 1.0
    /// kB", the code, the time for which the device was offline, and the number of attempts.
    public var description: String {
        let address = url?.withoutCredentials ?? "no address"
        let offline = offlineTime.map { "offline for \(Int($0 / .seconds(1))) s" }
        let tries = attempts == 1 ? "after 1 attempt" : "after \(attempts) attempts"
        let details = ["\(code.rawValue)", offline, tries].compactMap(\.self).joined(separator: ", ")
        return "\(address): \(underlyingError.reason) (\(details))"
    }

    /// The text for an alert. On Apple's platforms, this is the localized description of URLSession's error. On Linux,
    /// this is ``description``.
    public var errorDescription: String? {
        Transport.describesErrors ? underlyingError.localizedDescription : description
    }
}
