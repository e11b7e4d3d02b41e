public import Foundation

/// Why a tracked request failed for good.
///
/// ```swift
/// do {
///     let (data, _) = try await URLSession.shared.trackedData(from: url)
///     print("\(data.count) bytes")
/// } catch let error as NetworkRequestError where error.code == .timedOut {
///     print("No answer from \(url) in \(error.attempts) attempts")
/// }
/// ```
public struct NetworkRequestError: Error, Sendable {
    /// URLSession's error: of the last attempt, or of the attempt that found the device offline where the wait for
    /// connectivity took too long.
    public let underlyingError: URLError

    /// How many attempts were made, those while offline included.
    public let attempts: Int

    /// The address that was asked for, before any redirect.
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
