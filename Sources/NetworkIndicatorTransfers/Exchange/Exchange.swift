import Dispatch
import Foundation
import NetworkIndicator
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Receives the reports of an exchange.
protocol ExchangeCaller: Sendable {
    /// The caller's session.
    var session: URLSession { get }

    /// The system waits for a network.
    ///
    /// - Parameter giveUp: Ends the exchange, which then throws the error of a missing network.
    func exchangeWaits(_ giveUp: @escaping @Sendable () -> Void)

    /// The system no longer waits.
    func exchangeContinues()

    func report(_ progress: TransferProgress)
}

/// One attempt of a call: a URLSession task, and another one if a part can't be resumed, and for each redirect on
/// Linux.
///
/// URLSession's own `data(for:)` deadlocks on Linux when its Swift task is cancelled (swift-corelibs-foundation #5412).
/// Here, a cancelled call returns at once, and the URLSession task is cancelled afterwards.
final class Exchange: Sendable {
    let call: any ExchangeCaller
    /// The request before redirects.
    private let request: URLRequest
    private let body: Body
    private let receiver: any BodyReceiver
    let state: Lock<State>
    private let transport: Transport
    var readingTime: ExchangeClock.Instant { transport.readingTime }

    /// An unneeded body is read for at most this time, in seconds.
    private static let ignoredBodyTimeout = 1.0
    /// The queue of the timers. They fire even while every thread of the cooperative pool is blocked.
    private static let timerQueue = DispatchQueue(label: "NetworkIndicator.Exchange")

    /// - Parameters:
    ///   - call: The call, which receives the events.
    ///   - request: The request before redirects, with its timeout.
    ///   - body: The body of the request.
    ///   - receiver: Receives the response, on the delegate queue.
    ///   - limit: How long the attempt may take.
    init(
        _ call: any ExchangeCaller, _ request: URLRequest, _ body: Body, into receiver: any BodyReceiver,
        limit: Duration
    ) {
        self.call = call
        self.request = request
        self.body = body
        self.receiver = receiver
        transport = .of(call.session)
        state = Lock(State(request, body, ExchangeClock(limit, request.timeoutInterval, transport.readingTime)))
    }

    /// Makes the attempt.
    ///
    /// - Returns: The first response that isn't a redirect, or a redirect that the delegate of the caller's session refuses.
    /// - Throws: A `URLError`, an error of the receiver, or `CancellationError`.
    func perform() async throws -> URLResponse {
        let timer = DispatchSource.makeTimerSource(queue: Self.timerQueue)
        timer.setEventHandler { [weak self] in self?.checkTime(timer) }
        timer.activate()
        defer { timer.cancel() }
        checkTime(timer)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    if let early = state.withLock({ $0.wait(continuation) }) {
                        continuation.resume(with: early)
                    } else {
                        start(receiver.prepare(request), body)
                    }
                }
            } onCancel: {
                end(.failure(CancellationError()))
            }
        } catch let error as URLError where [.timedOut, .networkConnectionLost].contains(error.code) {
            // The connection may stay silent, so the next attempt must not use it.
            transport.retire(from: call.session)
            throw error
        }
    }

    // MARK: Tasks

    func start(_ request: URLRequest, _ body: Body) {
        if let error = request.url?.unusable { return end(.failure(error)) }
        if case .file(let file) = body {
            // The server isn't silent while the file is read and copied.
            state.withLock { $0.clock.isPaused = true }
            return Body.open(file) { [self] opened in
                switch opened {
                case .success(let opened):
                    let task = makeTask(request, opened)
                    resume()
                    start(task, request, body)
                case .failure(let error): end(.failure(error))
                }
            }
        }
        start(makeTask(request, body), request, body)
    }

    private func start(_ task: URLSessionTask, _ request: URLRequest, _ body: Body) {
        transport.add(task, self)
        if state.withLock({ $0.start(task, request, body) }) {
            task.resume()
        } else {
            // A task that is never resumed stays alive until it is cancelled.
            transport.cancel(task)
        }
    }

    private func makeTask(_ request: URLRequest, _ body: Body) -> URLSessionTask {
        SessionTracking.$isEnabled.withValue(false) { body.makeTask(request, in: transport.session) }
    }

    /// Whether this is the present task. Delegate calls of earlier tasks are ignored.
    func isPerforming(_ task: URLSessionTask) -> Bool { state.withLock { $0.task === task } }

    /// Decides the result, if it isn't decided yet. The task continues.
    private func decide(_ result: Result<URLResponse, any Error>) {
        state.withLock { $0.decide(result) }?.resume(with: result)
    }

    /// Decides the result, if it isn't decided yet, and cancels the task.
    func end(_ result: Result<URLResponse, any Error>) {
        decide(result)
        cancelTask()
    }

    private func cancelTask() {
        if let task = state.withLock(\.task) { transport.cancel(task) }
    }

    /// Ends the exchange if a limit is exceeded. Otherwise the timer fires when one may be.
    private func checkTime(_ timer: any DispatchSourceTimer) {
        let deliveryTime = transport.deliveryTime
        let (phase, verdict) = state.withLock { ($0.phase, $0.clock.check(deliveryTime)) }
        switch (phase, verdict) {
        case (.decided, _): break
        case (_, .wait(let time)): timer.schedule(deadline: .now() + time.timeInterval)
        case (.ignoring(let response), _): end(.success(response))
        case (_, .silent): end(.failure(described(URLError(.timedOut))))
        case (_, .tooLong):
            let limit = transport.settings.resourceTimeout
            let reason = "not complete within \(limit.text(decimals: limit < .seconds(10) ? 1 : 0))"
            end(.failure(URLError(.timedOut, reason: reason, url: request.url)))
        }
    }

    /// Describes an error with what was received until then.
    private func described(_ error: any Error) -> any Error {
        let (request, hasResponse) = state.withLock { state in
            if case .waiting = state.phase { (state.request, false) } else { (state.request, true) }
        }
        let progress = hasResponse ? receiver.progress : nil
        return URLError(reported: error)?.described(
            received: progress, timeout: request.timeoutInterval, url: request.url) ?? error
    }
}

/// The delegate calls of the present task, on the delegate queue.
extension Exchange {
    /// Notes that the system waits for a network, as `waitsForConnectivity` asks it to.
    func noteOffline() {
        state.withLock { $0.isOffline = true }
        call.exchangeWaits { [weak self] in self?.end(.failure(URLError(.notConnectedToInternet))) }
    }

    private func noteSignOfLife() {
        let now = readingTime
        if state.withLock({ $0.noteSignOfLife(at: now) }) { call.exchangeContinues() }
    }

    /// Counts the server's silence again, after a pause.
    func resume() {
        let now = readingTime
        state.withLock { state in
            state.clock.isPaused = false
            state.clock.noteActivity(at: now)
        }
    }

    func receive(_ response: URLResponse) {
        noteSignOfLife()
        // On Linux, URLSession reports a 100 or 103 like a response, and then the response.
        let status = (response as? HTTPURLResponse)?.statusCode ?? 200
        guard status >= 200, state.withLock({ $0.receiveHead() }) else { return }
        do {
            switch try receiver.begin(response) {
            case .accepted: break
            case .ignored: ignore(response, status)
            case .refused:
                cancelTask()
                start(receiver.prepare(request), body)
            }
        } catch {
            end(.failure(error))
        }
    }

    private func ignore(_ response: URLResponse, _ status: Int) {
        if Transport.mayAskForCredentials(after: status) { return state.withLock { $0.ignoreBody(of: response) } }
        decide(.success(response))
        Self.timerQueue.asyncAfter(deadline: .now() + Self.ignoredBodyTimeout) { [weak self] in self?.endIgnored() }
    }

    private func endIgnored() {
        switch state.withLock(\.phase) {
        case .waiting, .receiving: break
        case .ignoring(let response): end(.success(response))
        case .decided: cancelTask()
        }
    }

    func receive(_ data: Data) {
        noteSignOfLife()
        let (isNeeded, isTooMuch) = state.withLock { $0.receive(data.count) }
        if isTooMuch { endIgnored() }
        guard isNeeded else { return }
        do {
            try receiver.write(data)
            if !isUpload { call.report(receiver.progress) }
        } catch {
            end(.failure(error))
        }
    }

    /// Whether the call reports the progress of the request's body, instead of that of the response.
    private var isUpload: Bool { if case .ofRequest = body { false } else { true } }

    func noteSent(_ count: Int64, of total: Int64) {
        noteSignOfLife()
        guard isUpload, !state.withLock(\.isDecided) else { return }
        call.report(TransferProgress(completedBytes: count, totalBytes: total > 0 ? total : nil))
    }

    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        if let error { return decide(.failure(described(error))) }
        guard let response else { return decide(.failure(described(URLError(.badServerResponse)))) }
        guard case .waiting = state.withLock(\.phase) else { return decide(checked(response)) }
        // On Linux the delegate receives neither a redirect without a usable Location nor its body.
        if let error = Redirect.failure(response) { return decide(.failure(error)) }
        receive(response)
        decide(.success(response))
    }

    /// Returns an error if the body is shorter or longer than the response announced.
    func checked(_ response: URLResponse) -> Result<URLResponse, any Error> {
        receiver.isComplete ? .success(response) : .failure(described(URLError(.networkConnectionLost)))
    }
}
