import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The course of one attempt: ``Exchange`` passes each event to this value, and performs the action that it returns.
struct ExchangeMachine: Sendable {
    typealias Instant = SuspendingClock.Instant

    /// Each stage but the last can lead to every other one.
    private enum Stage {
        case waiting
        case receiving
        /// The body of this response isn't needed, but reading a short body to its end keeps the connection.
        case ignoring(URLResponse, until: Instant?)
        case ended
    }

    enum Event {
        case response(URLResponse)
        case ignored(URLResponse, until: Instant)
        case refused
        case data(Data)
        case completed(URLResponse?, (any Error)?)
        case failed(any Error)
        case time(Instant, silence: Duration?)
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
        case end(End)
    }

    enum End {
        case response(URLResponse)
        /// The attempt fails unless the receiver has all bytes of the response.
        case received(URLResponse)
        case failure(any Error, isReceiving: Bool)
    }

    private let timeout: Duration
    private var stage = Stage.waiting

    init(timeout: Duration) { self.timeout = timeout }

    var isEnded: Bool { if case .ended = stage { true } else { false } }

    mutating func handle(_ event: Event) -> Action {
        let (next, action) = next(event)
        stage = next
        return action
    }

    private func next(_ event: Event) -> (Stage, Action) {
        func end(_ end: End) -> (Stage, Action) { (.ended, .end(end)) }
        func fail(_ error: any Error) -> (Stage, Action) {
            let isReceiving = if case .waiting = stage { false } else { true }
            return end(.failure(error, isReceiving: isReceiving))
        }
        switch (stage, event) {
        case (.ended, _): return (stage, .none)
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
            return (.ignoring(response, until: nil), .beginWithoutData(response))
        case (.receiving, .completed(let response?, nil)): return end(.received(response))
        case (_, .completed(nil, nil)): return fail(URLError(.badServerResponse))

        case (.ignoring(let response, let limit?), .time(let now, _)):
            return now < limit ? (stage, .wait(now.duration(to: limit))) : end(.response(response))
        case (_, .time(_, let silence?)):
            return silence < timeout ? (stage, .wait(timeout - silence)) : fail(URLError(.timedOut))

        case (.waiting, .ignored), (.ignoring, .ignored), (.waiting, .refused), (.ignoring, .data), (_, .time(_, nil)):
            return (stage, .none)
        }
    }
}
