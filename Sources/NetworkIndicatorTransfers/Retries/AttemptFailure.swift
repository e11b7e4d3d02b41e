public import Foundation

/// The reason for the failure of an attempt.
public enum AttemptFailure: Sendable, CustomStringConvertible {
    /// The attempt received no complete response.
    case transport(URLError)
    /// The policy retries requests after this status. `retryAfter` is the wait that the response's `Retry-After` header
    /// requests, or `nil` if the header is missing or invalid.
    case status(Int, retryAfter: Duration?)

    public var description: String {
        switch self {
        case .transport(let error): "\(error.reason) (\(error.code.rawValue))"
        case .status(let status, _): "status \(status)"
        }
    }
}

extension AttemptFailure {
    /// `nil` if the policy doesn't retry requests after this failure.
    func minimumWait(_ policy: TrackedRetryPolicy) -> Duration? {
        switch self {
        case .transport(let error): policy.retriedErrorCodes.contains(error.code) ? .zero : nil
        case .status(_, let delay): delay ?? .zero <= policy.retryAfterLimit ? delay ?? .zero : nil
        }
    }
}
