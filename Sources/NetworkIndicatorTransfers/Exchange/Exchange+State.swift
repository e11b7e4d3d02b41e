import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Exchange {
    /// The state of an exchange. Each transition returns what the exchange must do next.
    // `@unchecked Sendable`: the exchange's lock guards the state. Foundation doesn't declare responses as `Sendable`
    // on every system.
    struct State: @unchecked Sendable {
        typealias Continuation = CheckedContinuation<URLResponse, any Error>

        enum Phase {
            /// No response has arrived yet.
            case waiting
            case receiving
            /// The body of this response isn't needed, but a request for credentials may follow it.
            case ignoring(URLResponse)
            /// The result of the call is decided. The task may still be receiving a body that isn't needed.
            case decided
        }

        private(set) var phase = Phase.waiting
        private(set) var task: URLSessionTask?
        /// The request of the task.
        private(set) var request: URLRequest
        private(set) var body: Body
        var clock: ExchangeClock
        /// Whether the system is waiting for a network.
        var isOffline = false
        private var continuation: Continuation?
        private var redirects = 0
        private var ignoredBytes = 0

        /// The largest size of an unneeded body that is read to its end, so that the connection can be reused.
        private static let ignoredBytesLimit = 1_000_000

        init(_ request: URLRequest, _ body: Body, _ clock: ExchangeClock) {
            self.request = request
            self.body = body
            self.clock = clock
        }

        var isDecided: Bool { if case .decided = phase { true } else { false } }

        /// - Returns: Whether the continuation waits for the result. `false` if the call was cancelled before.
        mutating func wait(_ continuation: Continuation) -> Bool {
            if !isDecided { self.continuation = continuation }
            return !isDecided
        }

        /// - Returns: The continuation to resume, or `nil` if the result was already decided or no call waits for it.
        mutating func decide() -> Continuation? {
            phase = .decided
            return continuation.take()
        }

        /// - Returns: Whether to resume the task. `false` if the result is already decided.
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
            // The redirected task may complete before the next task starts. That completion must not end the exchange.
            task = nil
            return next.httpMethod == request.httpMethod ? body : .ofRequest
        }

        /// - Returns: Whether the response is needed.
        mutating func receiveHead() -> Bool {
            guard !isDecided else { return false }
            phase = .receiving
            return true
        }

        /// Begins to ignore the body of a response, unless the result is already decided.
        mutating func ignoreBody(of response: URLResponse) {
            if !isDecided { phase = .ignoring(response) }
        }

        /// - Returns: Whether the data is needed, and whether unneeded data has just reached its limit.
        mutating func receive(_ count: Int) -> (isNeeded: Bool, isTooMuch: Bool) {
            switch phase {
            case .waiting, .receiving: return (true, false)
            case .ignoring, .decided:
                let rest = Self.ignoredBytesLimit - ignoredBytes
                ignoredBytes += count
                return (false, rest > 0 && count >= rest)
            }
        }

        /// - Returns: Whether the system was waiting for a network until this call.
        mutating func noteSignOfLife(at readingTime: ExchangeClock.Instant) -> Bool {
            clock.noteActivity(at: readingTime)
            defer { isOffline = false }
            return isOffline
        }
    }
}
