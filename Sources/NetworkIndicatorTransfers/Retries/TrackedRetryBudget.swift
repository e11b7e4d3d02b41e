import NetworkIndicator

/// Limits the retries of all requests that share it, to protect an overloaded server.
///
/// A budget is a bucket of tokens. Each retry takes 5 tokens, or 10 after a timeout, and each success returns 1. A
/// request that can't pay for a retry ends with its last error or response. Offline waits cost nothing.
///
/// ```swift
/// var policy = TrackedRetryPolicy.standard
/// policy.budget = TrackedRetryBudget()  // one for all requests to a server
/// ```
///
/// Every member may be used on any thread.
public final class TrackedRetryBudget: Sendable {
    /// The largest number of tokens.
    public let capacity: Int

    private let tokens: Lock<Int>

    /// Creates a full budget.
    ///
    /// - Parameter capacity: The number of tokens. A negative number counts as zero.
    public init(capacity: Int = 500) {
        self.capacity = max(0, capacity)
        tokens = Lock(max(0, capacity))
    }

    /// The number of tokens left.
    public var availableTokens: Int { tokens.withLock { $0 } }

    func payForRetry(afterTimeout: Bool) -> Bool {
        let cost = afterTimeout ? 10 : 5
        return tokens.withLock { tokens in
            guard tokens >= cost else { return false }
            tokens -= cost
            return true
        }
    }

    func noteSuccess() {
        tokens.withLock { $0 = min(capacity, $0 + 1) }
    }
}
