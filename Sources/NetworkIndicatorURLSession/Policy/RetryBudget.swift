import NetworkIndicator

/// Limits the retries of all requests that share it, so that a server in trouble is not buried under them.
///
/// A bucket of tokens: each retry takes 5 of them, or 10 after a timeout, and each success puts 1 back. A request whose
/// retry cannot be paid for fails with the error at hand. Waiting while offline costs nothing.
///
/// ```swift
/// var policy = RetryPolicy.standard
/// policy.budget = RetryBudget()  // one for all requests to a server
/// ```
///
/// Every member may be used on any thread.
public final class RetryBudget: Sendable {
    /// How many tokens there can be.
    public let capacity: Int

    private let tokens: Lock<Int>

    /// Makes a full bucket.
    ///
    /// - Parameter capacity: How many tokens it holds; at least zero.
    public init(capacity: Int = 500) {
        self.capacity = max(0, capacity)
        tokens = Lock(max(0, capacity))
    }

    /// How many tokens are left.
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
