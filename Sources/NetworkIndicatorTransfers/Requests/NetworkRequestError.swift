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
    /// Its `localizedDescription` says what happened, such as "the connection was lost after 10 B of 1.0 kB". For
    /// timeouts and failed connections, this text is in English and replaces URLSession's text on all systems. In that
    /// case, `NSUnderlyingErrorKey` in its user info holds URLSession's error.
    public let underlyingError: URLError

    /// The number of attempts, including those while offline.
    public let attempts: Int

    /// The URL of the request, before redirects.
    public let url: URL?

    /// The code of the underlying error.
    public var code: URLError.Code { underlyingError.code }
}

extension NetworkRequestError: LocalizedError, CustomStringConvertible {
    public var description: String {
        let tries = attempts == 1 ? "1 attempt" : "\(attempts) attempts"
        let address = url?.withoutCredentials ?? "no address"
        return "\(address): \(underlyingError.reason) (\(code.rawValue), after \(tries))"
    }

    public var errorDescription: String? { description }
}
