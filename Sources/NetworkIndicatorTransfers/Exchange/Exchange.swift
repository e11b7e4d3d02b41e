import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One attempt of a call. An attempt creates another task if the receiver refuses a response and, on Linux, for each
/// redirect that the attempt follows.
///
/// This type replaces `data(for:)`, which can deadlock on Linux if the calling Swift task is cancelled while the
/// response arrives (swift-corelibs-foundation #5412).
final class Exchange: Sendable {
    let session: URLSession
    private let events: EventRelay
    /// The attempt's request, before the changes by ``BodyReceiver/prepare(_:)`` and redirects.
    private let request: URLRequest
    private let body: Body
    let receiver: any BodyReceiver
    let state: Lock<State>
    let transport: Transport
    private let endsOffline: Bool

    /// - Parameter endsOffline: Whether the exchange ends if URLSession waits for a network.
    init(
        in session: URLSession, _ request: URLRequest, _ body: Body, into receiver: any BodyReceiver,
        _ events: EventRelay, limit: Duration, endsOffline: Bool
    ) {
        self.session = session
        self.request = request
        self.body = body
        self.receiver = receiver
        self.events = events
        self.endsOffline = endsOffline
        transport = .of(session)
        state = Lock(State(request, body, ExchangeClock(limit, request.timeoutInterval, transport.readingTime)))
    }

    func perform(attempt: Int) async throws -> URLResponse {
        defer { ExchangeTimer.remove(self) }
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    guard state.withLock({ $0.wait(continuation) }) else {
                        return continuation.resume(throwing: CancellationError())
                    }
                    ExchangeTimer.add(self)
                    events.post(.started(attempt: attempt), then: start)
                }
            } onCancel: {
                end(.failure(CancellationError()))
            }
        } catch let error as URLError where Self.connectionErrors.contains(error.code) {
            // On Linux, the next attempt must not use the same connection, which may no longer respond, or deliver the
            // rest of an earlier response.
            transport.retire(from: session)
            throw error
        }
    }

    private static let connectionErrors: [URLError.Code] = [.timedOut, .networkConnectionLost, .badServerResponse]

    // MARK: Tasks

    private func start() {
        if state.withLock(\.isDecided) { return }
        do { start(try receiver.prepare(request), body) } catch { end(.failure(error)) }
    }

    func start(_ request: URLRequest, _ body: Body) {
        if let error = request.url?.unusable { return end(.failure(error)) }
        if case .file(let file) = body {
            // The file has a queue of its own, because reading a long file must not delay other calls.
            return DispatchQueue(label: "NetworkIndicator.Exchange.Body").async { [self] in
                do throws(URLError) {
                    startTask(request, body, try Body(opening: file))
                } catch {
                    end(.failure(error))
                }
            }
        }
        startTask(request, body, body)
    }

    private func startTask(_ request: URLRequest, _ body: Body, _ content: Body) {
        resume()
        DispatchQueue.urlSession.async { [self] in
            guard !state.withLock(\.isDecided) else { return }
            let task = content.makeTask(request, in: transport.session)
            transport.add(task, self)
            if state.withLock({ $0.start(task, request, body) }) {
                task.resume()
            } else {
                // URLSession retains a task that is neither resumed nor cancelled.
                transport.cancel(task)
            }
        }
    }

    func isPerforming(_ task: URLSessionTask) -> Bool { state.withLock { $0.task === task } }

    private func decide(_ result: Result<URLResponse, any Error>) {
        state.withLock { $0.decide() }?.resume(with: result)
    }

    func end(_ result: Result<URLResponse, any Error>) {
        decide(result)
        cancelTask()
    }

    private func cancelTask() { if let task = state.withLock(\.task) { transport.cancel(task) } }

    /// A response to the credentials may arrive at any time, so the check and the decision are one step.
    private func endIgnored() {
        guard let (response, continuation) = state.withLock({ $0.endIgnored() }) else { return }
        continuation?.resume(returning: response)
        cancelTask()
    }

    func checkTime() -> Duration? {
        let deliveryTime = transport.deliveryTime
        let (phase, verdict) = state.withLock { ($0.phase, $0.clock.check(deliveryTime)) }
        switch (phase, verdict) {
        case (.decided, _): break
        case (_, .wait(let time)): return min(time, events.report(nil) ?? time)
        case (.ignoring, .silent): endIgnored()
        case (_, .silent): end(.failure(described(URLError(.timedOut))))
        case (_, .tooLong):
            endIgnored()
            let reason = "not complete within \(transport.settings.resourceTimeout.text())"
            end(.failure(URLError(.timedOut, reason: reason, url: request.url)))
        }
        return nil
    }

    private func described(_ error: any Error) -> any Error {
        let (request, phase) = state.withLock { ($0.request, $0.phase) }
        let progress: TransferProgress? = if case .waiting = phase { nil } else { receiver.progress }
        return URLError(reported: error)?.described(
            received: progress, timeout: request.timeoutInterval, url: request.url) ?? error
    }
}

extension Exchange {
    func noteOffline() {
        let error = URLError(.notConnectedToInternet)
        if endsOffline { end(.failure(error)) } else { events.post(.waitingForConnectivity(error: error)) }
    }

    private func noteSignOfLife() {
        let now = transport.readingTime
        state.withLock { $0.clock.noteActivity(at: now) }
    }

    func resume() {
        let now = transport.readingTime
        state.withLock { state in
            state.clock.isPaused = false
            state.clock.noteActivity(at: now)
        }
    }

    func receive(_ response: URLResponse) {
        // On Linux, URLSession delivers 1xx responses before the final response. They don't restart the timeout.
        guard response.isFinal else { return }
        state.withLock { $0.hasResponse = true }
        noteSignOfLife()
        if !state.withLock({ $0.hold(response) }) { begin(response) }
    }

    func beginHeldResponse() {
        if let response = state.withLock({ $0.takeHeld() }) { begin(response) }
    }

    private func begin(_ response: URLResponse) {
        guard state.withLock({ $0.move(to: .receiving) }) else { return }
        do {
            switch try receiver.begin(response, to: self.request) {
            case .accepted: break
            case .ignored:
                _ = state.withLock { $0.move(to: .ignoring(response)) }
                // On Linux, a challenge follows the end of the body.
                let limit: TimeInterval = response.mayAskForCredentials ? 5 : 1
                ExchangeTimer.queue.asyncAfter(deadline: .now() + limit) { [weak self] in self?.endIgnored() }
            case .refused:
                if let task = state.withLock({ $0.abandonTask() }) { transport.cancel(task) }
                start()
            }
        } catch {
            end(.failure(error))
        }
    }

    func receive(_ data: Data) {
        noteSignOfLife()
        beginHeldResponse()
        guard state.withLock(\.needsData) else { return }
        do {
            try receiver.write(data)
            if !isUpload { report(receiver.progress) }
        } catch {
            end(.failure(error))
        }
    }

    private func report(_ progress: TransferProgress) { ExchangeTimer.schedule(after: events.report(progress)) }

    private var isUpload: Bool { if case .ofRequest = body { false } else { true } }

    func noteSent(_ count: Int64, of total: Int64) {
        noteSignOfLife()
        guard isUpload, !state.withLock(\.isDecided) else { return }
        report(TransferProgress(completedBytes: count, totalBytes: total > 0 ? total : nil))
    }

    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        if case .ignoring(let response) = state.withLock(\.phase) { return decide(.success(response)) }
        if let error { return decide(.failure(described(error))) }
        guard let response else { return decide(.failure(described(URLError(.badServerResponse)))) }
        guard case .waiting = state.withLock(\.phase) else { return decide(checked(response)) }
        let isHeld = state.withLock { $0.takeHeld() } === response
        begin(response)
        switch state.withLock(\.phase) {
        case .waiting, .decided: break
        case .ignoring: decide(.success(response))
        // For a redirect without a usable `Location`, URLSession on Linux completes the task without first delivering
        // the response and its body.
        case .receiving: decide(isHeld ? checked(response) : .success(response))
        }
    }

    func checked(_ response: URLResponse) -> Result<URLResponse, any Error> {
        receiver.isComplete ? .success(response) : .failure(described(URLError(.networkConnectionLost)))
    }
}
