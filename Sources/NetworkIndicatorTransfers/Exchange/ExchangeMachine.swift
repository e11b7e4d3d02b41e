import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The course of one attempt: ``Exchange`` passes each event to this value, and performs the action that it returns.
///
/// `@unchecked Sendable`: the exchange's lock guards the value. Not every SDK marks `URLResponse` as `Sendable`.
struct ExchangeMachine: @unchecked Sendable {
    typealias Continuation = CheckedContinuation<URLResponse, any Error>

    private enum Phase {
        /// Leads to `open` or `ended`.
        case idle
        /// Leads to `ended`.
        case open(Continuation, Stage)
        case ended
    }

    /// Each stage can lead to every other one.
    private enum Stage {
        case waiting
        case receiving
        /// The body of this response isn't needed, but reading a short body to its end keeps the connection.
        case ignoring(URLResponse, until: Duration)
    }

    enum Event {
        case began(Continuation)
        case response(URLResponse)
        case ignored(URLResponse, until: Duration)
        case refused
        case data(Data)
        case completed(URLResponse?, (any Error)?)
        case failed(any Error)
        case time(Duration, silence: Duration?)
    }

    enum Action {
        case none
        /// Request the whole body.
        case start
        /// Pass the response to the receiver.
        case begin(URLResponse)
        /// Pass the response to the receiver, and then repeat the event. No data follows.
        case beginWithoutData(URLResponse)
        /// Pass the data to the receiver.
        case write(Data)
        case wait(Duration)
        case end(Continuation, End)
    }

    enum End {
        case response(URLResponse)
        /// The attempt fails unless the receiver has all bytes of the response.
        case received(URLResponse)
        case failure(any Error, isReceiving: Bool)
        case tooLong
    }

    /// The end of the call, on the same clock as the times of the events.
    let deadline: Duration
    let timeout: Duration
    private var phase = Phase.idle

    init(deadline: Duration, timeout: Duration) {
        self.deadline = deadline
        self.timeout = timeout
    }

    var isEnded: Bool { if case .ended = phase { true } else { false } }

    mutating func handle(_ event: Event) -> Action {
        switch (phase, event) {
        case (.idle, .began(let continuation)): phase = .open(continuation, .waiting)
        case (.idle, .failed): phase = .ended
        case (.ended, .began(let continuation)):
            return .end(continuation, .failure(CancellationError(), isReceiving: false))
        case (.idle, _), (.ended, _), (.open, .began): break
        case (.open(let continuation, let stage), _):
            let (next, action) = next(stage, event, continuation)
            phase = next.map { .open(continuation, $0) } ?? .ended
            return action
        }
        return .none
    }

    /// - Returns: The next stage, or `nil` at the end.
    private func next(_ stage: Stage, _ event: Event, _ continuation: Continuation) -> (Stage?, Action) {
        func end(_ end: End) -> (Stage?, Action) { (nil, .end(continuation, end)) }
        func fail(_ error: any Error) -> (Stage?, Action) {
            let isReceiving = if case .waiting = stage { false } else { true }
            return end(.failure(error, isReceiving: isReceiving))
        }
        switch (stage, event) {
        case (_, .response(let response)): return (.receiving, .begin(response))
        case (.receiving, .ignored(let response, let end)): return (.ignoring(response, until: end), .none)
        case (.receiving, .refused), (.ignoring, .refused): return (.waiting, .start)
        case (.receiving, .data(let data)): return (stage, .write(data))
        // Otherwise, the rest of the body could count as the whole body.
        case (.waiting, .data):
            let reason = "data arrived without a final response"
            return fail(URLError(.badServerResponse, reason: reason, url: nil))

        case (.ignoring(let response, _), .completed): return end(.response(response))
        case (_, .completed(_, let error?)), (_, .failed(let error)): return fail(error)
        case (.waiting, .completed(let response?, nil)):
            return (.ignoring(response, until: deadline), .beginWithoutData(response))
        case (.receiving, .completed(let response?, nil)): return end(.received(response))
        case (_, .completed(nil, nil)): return fail(URLError(.badServerResponse))

        case (.ignoring(let response, let limit), .time(let now, _)):
            let rest = min(limit, deadline) - now
            return rest > .zero ? (stage, .wait(rest)) : end(.response(response))
        case (_, .time(let now, let silence)):
            if now >= deadline { return end(.tooLong) }
            guard let silence else { return (stage, .wait(deadline - now)) }
            if silence < timeout { return (stage, .wait(min(deadline - now, timeout - silence))) }
            return fail(URLError(.timedOut))

        case (.waiting, .ignored), (.ignoring, .ignored), (.waiting, .refused), (.ignoring, .data), (_, .began):
            return (stage, .none)
        }
    }
}
