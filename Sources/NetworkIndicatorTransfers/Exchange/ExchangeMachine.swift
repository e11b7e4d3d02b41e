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
        /// Leads to `waiting` or `ended`.
        case idle
        /// Leads to `receiving` or `ended`.
        case waiting(Continuation)
        /// Leads to every phase but `idle`.
        case receiving(Continuation)
        /// The body of this response isn't needed. On Linux, an authentication challenge may follow it. Reading a short
        /// body to its end also lets URLSession reuse the connection. Leads to every phase but `idle`.
        case ignoring(Continuation, URLResponse, until: Duration)
        case ended
    }

    enum Event {
        case began(Continuation)
        case response(URLResponse)
        case ignored(URLResponse, until: Duration)
        case refused
        case data
        case challenge
        case declined(URLResponse)
        case completed(URLResponse?, (any Error)?)
        case failed(any Error)
        case time(Duration, silence: Duration)
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
        case write
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
        case (.idle, .began(let continuation)):
            phase = .waiting(continuation)
        case (.idle, .failed):
            phase = .ended
        case (.ended, .began(let continuation)):
            return .end(continuation, .failure(CancellationError(), isReceiving: false))
        case (.idle, _), (.ended, _), (_, .began):
            break

        case (.waiting(let continuation), .response(let response)),
            (.receiving(let continuation), .response(let response)),
            (.ignoring(let continuation, _, _), .response(let response)):
            phase = .receiving(continuation)
            return .begin(response)
        case (.receiving(let continuation), .ignored(let response, let end)):
            phase = .ignoring(continuation, response, until: end)
        case (.receiving(let continuation), .refused), (.ignoring(let continuation, _, _), .refused):
            phase = .waiting(continuation)
            return .start
        case (_, .ignored), (_, .refused):
            break

        case (.receiving, .data):
            return .write
        case (_, .data):
            break

        case (.waiting(let continuation), .challenge), (.receiving(let continuation), .challenge),
            (.ignoring(let continuation, _, _), .challenge):
            phase = .waiting(continuation)
        case (.waiting(let continuation), .declined(let response)):
            return end(continuation, .received(response))
        case (_, .declined):
            break

        case (.ignoring(let continuation, let response, _), .completed):
            return end(continuation, .response(response))
        case (.waiting(let continuation), .completed(_, let error?)), (.waiting(let continuation), .failed(let error)):
            return end(continuation, .failure(error, isReceiving: false))
        case (.waiting(let continuation), .completed(nil, nil)):
            return end(continuation, .failure(URLError(.badServerResponse), isReceiving: false))
        case (.waiting(let continuation), .completed(let response?, nil)):
            phase = .ignoring(continuation, response, until: deadline)
            return .beginWithoutData(response)
        case (.receiving(let continuation), .completed(_, let error?)),
            (.receiving(let continuation), .failed(let error)), (.ignoring(let continuation, _, _), .failed(let error)):
            return end(continuation, .failure(error, isReceiving: true))
        case (.receiving(let continuation), .completed(nil, nil)):
            return end(continuation, .failure(URLError(.badServerResponse), isReceiving: true))
        case (.receiving(let continuation), .completed(let response?, nil)):
            return end(continuation, .received(response))

        case (.ignoring(let continuation, let response, let end), .time(let now, _)):
            let rest = min(end, deadline) - now
            return rest > .zero ? .wait(rest) : self.end(continuation, .response(response))
        case (.waiting(let continuation), .time(let now, let silence)):
            return check(continuation, isReceiving: false, deadline - now, timeout - silence)
        case (.receiving(let continuation), .time(let now, let silence)):
            return check(continuation, isReceiving: true, deadline - now, timeout - silence)
        }
        return .none
    }

    private mutating func check(
        _ continuation: Continuation, isReceiving: Bool, _ rest: Duration, _ patience: Duration
    ) -> Action {
        if rest <= .zero { return end(continuation, .tooLong) }
        if patience > .zero { return .wait(min(rest, patience)) }
        return end(continuation, .failure(URLError(.timedOut), isReceiving: isReceiving))
    }

    private mutating func end(_ continuation: Continuation, _ end: End) -> Action {
        phase = .ended
        return .end(continuation, end)
    }
}
