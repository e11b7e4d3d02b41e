import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Exchange {
    /// The state of an exchange. Its transitions return what follows.
    // `@unchecked Sendable`: the lock guards it. Foundation doesn't declare responses as `Sendable` on every system.
    struct State: @unchecked Sendable {
        typealias Continuation = CheckedContinuation<URLResponse, any Error>

        enum Phase {
            /// There is no response yet.
            case waiting
            case receiving
            /// The body of this response isn't needed, but a request for credentials may follow it.
            case ignoring(URLResponse)
            /// The call has its result. The task may still be running, with a body that isn't needed.
            case decided
        }

        private(set) var phase = Phase.waiting
        private(set) var task: URLSessionTask?
        /// The request of the task.
        private(set) var request: URLRequest
        private(set) var body: Body
        var clock: ExchangeClock
        /// Whether the system waits for a network.
        var isOffline = false
        private var continuation: Continuation?
        /// The result, if it was decided before the call waited for it.
        private var early: Result<URLResponse, any Error>?
        private var redirects = 0
        private var ignoredBytes = 0

        /// An unneeded body is read up to this size, so that the connection can be reused.
        private static let ignoredBytesLimit = 1_000_000

        init(_ request: URLRequest, _ body: Body, _ clock: ExchangeClock) {
            self.request = request
            self.body = body
            self.clock = clock
        }

        var isDecided: Bool { if case .decided = phase { true } else { false } }

        /// - Returns: The result, if it is already decided. Otherwise the call waits for it.
        mutating func wait(_ continuation: Continuation) -> Result<URLResponse, any Error>? {
            if !isDecided { self.continuation = continuation }
            return early
        }

        /// - Returns: The continuation to resume, unless the result was decided before.
        mutating func decide(_ result: Result<URLResponse, any Error>) -> Continuation? {
            if !isDecided, continuation == nil { early = result }
            phase = .decided
            return continuation.take()
        }

        /// - Returns: Whether the task is needed. If not, the result is decided.
        mutating func start(_ task: URLSessionTask, _ request: URLRequest, _ body: Body) -> Bool {
            guard !isDecided else { return false }
            phase = .waiting
            self.task = task
            self.request = request
            self.body = body
            return true
        }

        /// - Returns: The body of the request that follows a redirect, or `nil` after too many redirects.
        mutating func redirect(to next: URLRequest) -> Body? {
            redirects += 1
            guard redirects <= Redirect.limit else { return nil }
            // The redirected task may end before the next one begins. Its end must not end the exchange.
            task = nil
            return next.httpMethod == request.httpMethod ? body : .ofRequest
        }

        /// - Returns: Whether the response is needed.
        mutating func receiveHead() -> Bool {
            guard !isDecided else { return false }
            phase = .receiving
            return true
        }

        /// Ignores the body that follows, unless the result is decided.
        mutating func ignoreBody(of response: URLResponse) {
            if !isDecided { phase = .ignoring(response) }
        }

        /// - Returns: Whether the data is needed, and whether the data that isn't needed has just reached the limit.
        mutating func receive(_ count: Int) -> (isNeeded: Bool, isTooMuch: Bool) {
            switch phase {
            case .waiting, .receiving: return (true, false)
            case .ignoring, .decided:
                let rest = Self.ignoredBytesLimit - ignoredBytes
                ignoredBytes += count
                return (false, rest > 0 && count >= rest)
            }
        }

        /// - Returns: Whether the system has waited for a network until now.
        mutating func noteSignOfLife(at readingTime: ExchangeClock.Instant) -> Bool {
            clock.noteActivity(at: readingTime)
            defer { isOffline = false }
            return isOffline
        }
    }
}
