public import Foundation
import NetworkIndicatorURLSession

/// The error of a tracked request, after all its attempts.
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
    /// The error of the last attempt. If an offline wait was too long, the error that began the wait.
    ///
    /// On Apple's systems its `localizedDescription` is that of URLSession. On Linux, where URLSession has few
    /// descriptions, it is part of this error's ``description``.
    public let underlyingError: URLError

    /// The number of attempts, including those while offline.
    public let attempts: Int
    /// How long the request waited for a network, if it failed because the wait was too long. See
    /// ``TrackedRetryPolicy/connectivityTimeout``.
    public let offlineTime: Duration?

    /// The URL of the request, before redirects.
    public let url: URL?

    /// The code of the underlying error.
    public var code: URLError.Code { underlyingError.code }
}

extension NetworkRequestError: LocalizedError, CustomStringConvertible {
    /// What happened, in English: the URL, the cause such as "the connection was lost after 10 B of 1.0 kB", the code,
    /// how long the device was offline, and the number of attempts.
    public var description: String {
        let address = url?.withoutCredentials ?? "no address"
        let offline = offlineTime.map { "offline for \(Int($0 / .seconds(1))) s" }
        let tries = attempts == 1 ? "after 1 attempt" : "after \(attempts) attempts"
        let details = ["\(code.rawValue)", offline, tries].compactMap(\.self).joined(separator: ", ")
        return "\(address): \(underlyingError.reason) (\(details))"
    }

    /// A text for an alert: the localized description of URLSession's error on Apple's systems, and ``description`` on
    /// Linux.
    public var errorDescription: String? {
        Transport.describesErrors ? underlyingError.localizedDescription : description
    }
}
