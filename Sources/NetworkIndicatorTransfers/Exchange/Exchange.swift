import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One attempt of a call. If the receiver refuses a response, the attempt sends a second request.
///
/// ```
/// TrackedRequest ─▶ Exchange ─▶ ExchangeMachine   decides what each event leads to
///                      │ ├────▶ BodyReceiver      stores the body: DataReceiver or DownloadFile
///                      │ └────▶ EventRelay        calls the caller's event handler
///                      └──────▶ Wire              sends requests: AppleWire or LinuxWire
/// ```
///
/// This type replaces `data(for:)`, which can deadlock on Linux if the calling Swift task is cancelled while the
/// response arrives (swift-corelibs-foundation #5412).
final class Exchange: WireClient {
    private let wire: any Wire
    private let events: EventRelay
    /// The attempt's request, before the changes by ``BodyReceiver/prepare(_:)`` and redirects.
    private let request: URLRequest
    private let body: RequestBody
    private let receiver: any BodyReceiver
    private let endsOffline: Bool
    private let machine: Lock<ExchangeMachine>

    /// - Parameters:
    ///   - deadline: The end of the call, on the clock of `events`.
    ///   - endsOffline: Whether the exchange ends if URLSession waits for a network.
    init(
        of request: URLRequest, _ body: RequestBody, over wire: any Wire, into receiver: any BodyReceiver,
        _ events: EventRelay, deadline: Duration, endsOffline: Bool
    ) {
        self.wire = wire
        self.events = events
        self.request = request
        self.body = body
        self.receiver = receiver
        self.endsOffline = endsOffline
        machine = Lock(ExchangeMachine(deadline: deadline, timeout: .seconds(request.timeoutInterval)))
    }

    func perform(attempt: Int) async throws -> URLResponse {
        defer { ExchangeTimer.remove(self) }
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    handle(.began(continuation))
                    if machine.withLock(\.isEnded) { return }
                    ExchangeTimer.add(self)
                    events.post(.started(attempt: attempt)) { self.start(attempt) }
                }
            } onCancel: {
                handle(.failed(CancellationError()))
            }
        } catch let error as URLError where Self.connectionErrors.contains(error.code) {
            // On Linux, the next attempt must not use the same connection, which may no longer respond, or deliver the
            // rest of an earlier response.
            wire.retire()
            throw error
        }
    }

    private static let connectionErrors: [URLError.Code] = [.timedOut, .networkConnectionLost, .badServerResponse]

    private func start(_ attempt: Int) {
        if machine.withLock(\.isEnded) { return }
        if let error = request.url?.unusable {
            handle(.failed(error))
        } else if attempt > 1, let queue = receiver.queue {
            // A write of the previous attempt can block the receiver.
            queue.async { self.send() }
        } else {
            send()
        }
    }

    /// If the receiver has refused a response, its events must not arrive between the refusal and this call.
    private func send() {
        do {
            wire.start(try receiver.prepare(request), body, for: self)
        } catch {
            handle(.failed(error))
        }
    }

    // MARK: Events

    func receive(_ event: WireEvent) {
        switch event {
        case .offline where endsOffline: handle(.failed(URLError(.notConnectedToInternet)))
        case .offline: events.post(.waitingForConnectivity(error: URLError(.notConnectedToInternet)))
        case .sent(let count, let total):
            guard isUpload, !machine.withLock(\.isEnded) else { return }
            report(TransferProgress(completedBytes: count, totalBytes: total > 0 ? total : nil))
        case .response(let response): handle(.response(response))
        case .data(let data): handle(.data(data))
        case .challenge: handle(.challenge)
        case .declined(let response): handle(.declined(response))
        case .completed(let response, let error): handle(.completed(response, error))
        }
    }

    /// - Returns: The time until the next check, if the event is a check of the time.
    @discardableResult private func handle(_ event: ExchangeMachine.Event) -> Duration? {
        switch machine.withLock({ $0.handle(event) }) {
        case .none: break
        case .wait(let time): return min(time.clamped(to: Self.pauses), events.report(nil) ?? .longest)
        case .start: send()
        case .write(let data): write(data)
        case .begin(let response): _ = begin(response)
        case .beginWithoutData(let response): if begin(response) { handle(event) }
        case .end(let continuation, let end):
            continuation.resume(with: result(of: end))
            wire.cancel()
        }
        return nil
    }

    /// - Returns: The time until the next check, or `nil` after the end.
    func checkTime() -> Duration? {
        let silence = wire.silence
        return handle(.time(events.now(), silence: silence))
    }

    private static let pauses = Duration.milliseconds(50) ... .seconds(86_400)

    // MARK: The body

    /// - Returns: `false` if the receiver has refused the response, or if the exchange has failed.
    private func begin(_ response: URLResponse) -> Bool {
        do {
            switch try receiver.begin(response, to: request) {
            case .accepted(let event?):
                events.post(event)
                events.report(receiver.progress, atOnce: true)
            case .accepted: break
            case .ignored:
                // On Linux, a challenge follows the end of the body.
                let limit: Duration = response.mayAskForCredentials ? .seconds(5) : .seconds(1)
                handle(.ignored(response, until: events.now() + limit))
                ExchangeTimer.schedule(after: limit)
            case .refused:
                handle(.refused)
                return false
            }
            return true
        } catch {
            handle(.failed(error))
            return false
        }
    }

    private func write(_ data: Data) {
        do {
            let progress = try receiver.write(data)
            if !isUpload { report(progress) }
        } catch {
            handle(.failed(error))
        }
    }

    private func report(_ progress: TransferProgress) { ExchangeTimer.schedule(after: events.report(progress)) }

    private var isUpload: Bool { if case .ofRequest = body { false } else { true } }

    // MARK: The end

    private func result(of end: ExchangeMachine.End) -> Result<URLResponse, any Error> {
        switch end {
        case .response(let response): return .success(response)
        case .received(let response):
            let lost = URLError(.networkConnectionLost)
            return receiver.isComplete ? .success(response) : .failure(described(lost, receiver.progress))
        case .failure(let error, let isReceiving):
            return .failure(described(error, isReceiving ? receiver.progress : nil))
        case .tooLong:
            let reason = "not complete within \(wire.settings.resourceTimeout.text())"
            return .failure(URLError(.timedOut, reason: reason, url: request.url))
        }
    }

    private func described(_ error: any Error, _ progress: TransferProgress?) -> any Error {
        guard let reported = URLError(reported: error) else { return error }
        return reported.described(
            received: progress, timeout: request.timeoutInterval, url: reported.failingURL ?? request.url)
    }

    /// Whether the attempt received a byte. A host that responds is online.
    var hasResponse: Bool { wire.hasReceived }

    var mayBeCached: Bool { receiver is DataReceiver }
}

/// All exchanges share one timer, because a timer per exchange took 6 % of the CPU time of small downloads.
enum ExchangeTimer {
    // `@unchecked Sendable`: timer sources are thread-safe, but Linux's Dispatch doesn't mark them `Sendable`.
    private struct State: @unchecked Sendable {
        var exchanges: [ObjectIdentifier: Exchange] = [:]
        var next = DispatchTime.distantFuture
        let timer = DispatchSource.makeTimerSource(queue: queue)

        init() {
            timer.setEventHandler { check() }
            timer.activate()
        }
    }

    private static let state = Lock(State())
    /// On this queue, the timer fires even while every thread of the cooperative pool is blocked.
    static let queue = DispatchQueue(label: "NetworkIndicator.Exchange")

    static func add(_ exchange: Exchange) {
        state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = exchange }
        schedule(after: exchange.checkTime())
    }

    /// The caller retains the exchange, so the removal doesn't deallocate it while the lock is held.
    static func remove(_ exchange: Exchange) {
        state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = nil }
    }

    static func schedule(after delay: Duration?) {
        guard let delay else { return }
        let time = DispatchTime.now() + delay.timeInterval
        state.withLock { state in
            guard time < state.next else { return }
            state.next = time
            state.timer.schedule(deadline: time)
        }
    }

    private static func check() {
        let exchanges = state.withLock { state in
            state.next = .distantFuture
            return Array(state.exchanges.values)
        }
        schedule(after: exchanges.compactMap { $0.checkTime() }.min())
    }
}
