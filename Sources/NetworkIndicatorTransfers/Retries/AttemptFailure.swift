public import Foundation

/// The reason why an attempt of a request failed.
public enum AttemptFailure: Error, Sendable, CustomStringConvertible {
    /// The attempt received no complete response.
    case transport(URLError)
    /// The response has a status that the policy retries. `retryAfter` is the wait that the response's `Retry-After`
    /// header requests.
    case status(Int, retryAfter: Duration?)

    public var description: String {
        switch self {
        case .transport(let error): "\(error.reason) (\(error.code.rawValue))"
        case .status(let status, _): "status \(status)"
        }
    }
}

extension AttemptFailure {
    func isRetried(by policy: TrackedRetryPolicy) -> Bool {
        switch self {
        case .transport(let error): policy.retriedErrorCodes.contains(error.code)
        case .status(let status, let delay):
            policy.retriedStatusCodes.contains(status) && delay ?? .zero <= policy.retryAfterLimit
        }
    }

    var retryAfter: Duration? { if case .status(_, let delay) = self { delay } else { nil } }
}
