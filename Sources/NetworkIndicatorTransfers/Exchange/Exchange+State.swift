import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Exchange {
    // `@unchecked Sendable`: the exchange's lock guards the state. Not every SDK marks `URLResponse` as `Sendable`.
    struct State: @unchecked Sendable {
        typealias Continuation = CheckedContinuation<URLResponse, any Error>

        enum Phase {
            case waiting
            case receiving
            /// On Linux, an authentication challenge may follow the unneeded body of this response. Reading a short
            /// body to its end lets URLSession reuse the connection.
            case ignoring(URLResponse)
            case decided
        }

        private(set) var phase = Phase.waiting
        private(set) var task: URLSessionTask?
        private(set) var request: URLRequest
        private(set) var body: Body
        var clock: ExchangeClock
        private var continuation: Continuation?
        private var redirects = 0
        var hasResponse = false
        /// A response that may be a proxy's. See ``Transport/mayDeliverProxyResponses``.
        private var held: URLResponse?

        init(_ request: URLRequest, _ body: Body, _ clock: ExchangeClock) {
            self.request = request
            self.body = body
            self.clock = clock
        }

        var isDecided: Bool { if case .decided = phase { true } else { false } }

        mutating func wait(_ continuation: Continuation) -> Bool {
            // The time until the task starts, for example in the caller's event handler, isn't server inactivity.
            clock.isPaused = true
            if !isDecided { self.continuation = continuation }
            return !isDecided
        }

        mutating func decide() -> Continuation? {
            phase = .decided
            return continuation.take()
        }

        /// - Returns: `false` if the exchange is already decided, and keeps its phase.
        mutating func move(to next: Phase) -> Bool {
            if !isDecided { phase = next }
            return !isDecided
        }

        mutating func start(_ task: URLSessionTask, _ request: URLRequest, _ body: Body) -> Bool {
            guard move(to: .waiting) else { return false }
            self.task = task
            held = nil
            self.request = request
            self.body = body
            return true
        }

        /// The completion of an abandoned task doesn't end the exchange.
        mutating func abandonTask() -> URLSessionTask? {
            _ = move(to: .waiting)
            return task.take()
        }

        mutating func redirect(to next: URLRequest, keepsBody: Bool) -> Body? {
            redirects += 1
            guard redirects <= Redirect.limit else { return nil }
            return keepsBody && next.httpMethod == request.httpMethod ? body : .ofRequest
        }

        /// While the caller's delegate decides on a challenge, the clock is paused.
        mutating func endIgnored() -> (URLResponse, Continuation?)? {
            guard case .ignoring(let response) = phase, !clock.isPaused else { return nil }
            return (response, decide())
        }

        mutating func hold(_ response: URLResponse) -> Bool {
            guard Transport.mayDeliverProxyResponses, request.url?.scheme == "https" else { return false }
            held = response
            return true
        }

        mutating func takeHeld() -> URLResponse? { held.take() }

        var needsData: Bool { if case .ignoring = phase { false } else { !isDecided } }
    }
}
