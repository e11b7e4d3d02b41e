import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The call that an exchange reports to.
protocol ExchangeCaller: Sendable {
    /// The caller's session.
    var session: URLSession { get }

    /// Called when the system begins to wait for a network.
    ///
    /// - Parameter giveUp: Ends the exchange with the error for a missing network.
    func exchangeWaits(_ giveUp: @escaping @Sendable () -> Void)

    /// Called when the system no longer waits for a network.
    func exchangeContinues()

    func report(_ progress: TransferProgress)
}

/// One attempt of a call. An exchange uses one URLSession task. If a part can't be resumed, it starts another task. On
/// Linux, it also starts a task for each redirect.
///
/// URLSession's own `data(for:)` deadlocks on Linux when its Swift task is cancelled (swift-corelibs-foundation #5412).
/// An exchange instead returns at once when its call is cancelled, and cancels the URLSession task afterwards.
final class Exchange: Sendable {
    let call: any ExchangeCaller
    /// The request before redirects.
    private let request: URLRequest
    private let body: Body
    private let receiver: any BodyReceiver
    let state: Lock<State>
    private let transport: Transport

    /// The longest time for which an unneeded body is read, in seconds.
    private static let ignoredBodyTimeout = 1.0

    /// - Parameters:
    ///   - call: The call to report to.
    ///   - request: The request before redirects, with its timeout.
    ///   - body: The body of the request.
    ///   - receiver: The receiver of the response. Its methods are called on the delegate queue.
    ///   - limit: The longest time that the attempt may take.
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
    /// - Returns: The first response that isn't a redirect, or a redirect that the delegate of the caller's session has
    ///   refused.
    /// - Throws: A `URLError`, an error of the receiver, or `CancellationError`.
    func perform() async throws -> URLResponse {
        defer { ExchangeTimer.remove(self) }
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    guard state.withLock({ $0.wait(continuation) }) else {
                        return continuation.resume(throwing: CancellationError())
                    }
                    ExchangeTimer.add(self)
                    start(receiver.prepare(request), body)
                }
            } onCancel: {
                end(.failure(CancellationError()))
            }
        } catch let error as URLError where [.timedOut, .networkConnectionLost].contains(error.code) {
            // The connection may no longer respond, so the next attempt must not use it.
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
            // The call can be cancelled while another thread reads the file.
            return DispatchQueue(label: "NetworkIndicator.Exchange.Body").async { [self] in
                do throws(URLError) {
                    let task = try Body(opening: file).makeTask(request, in: transport.session)
                    resume()
                    start(task, request, body)
                } catch {
                    end(.failure(error))
                }
            }
        }
        start(body.makeTask(request, in: transport.session), request, body)
    }

    private func start(_ task: URLSessionTask, _ request: URLRequest, _ body: Body) {
        transport.add(task, self)
        if state.withLock({ $0.start(task, request, body) }) {
            task.resume()
        } else {
            // URLSession keeps a task that was never resumed until the task is cancelled.
            transport.cancel(task)
        }
    }

    /// Whether a task is the current task of the exchange. Delegate calls for earlier tasks are ignored.
    func isPerforming(_ task: URLSessionTask) -> Bool { state.withLock { $0.task === task } }

    /// Decides the result, unless it is already decided. The task continues.
    private func decide(_ result: Result<URLResponse, any Error>) {
        state.withLock { $0.decide() }?.resume(with: result)
    }

    /// Decides the result, unless it is already decided, and cancels the task.
    func end(_ result: Result<URLResponse, any Error>) {
        decide(result)
        cancelTask()
    }

    private func cancelTask() {
        if let task = state.withLock(\.task) { transport.cancel(task) }
    }

    /// Ends the exchange if a time limit is exceeded.
    ///
    /// - Returns: The time until a limit can be exceeded, or `nil` if the exchange has ended.
    func checkTime() -> Duration? {
        let deliveryTime = transport.deliveryTime
        let (phase, verdict) = state.withLock { ($0.phase, $0.clock.check(deliveryTime)) }
        switch (phase, verdict) {
        case (.decided, _): break
        case (_, .wait(let time)): return time
        case (.ignoring(let response), _): end(.success(response))
        case (_, .silent): end(.failure(described(URLError(.timedOut))))
        case (_, .tooLong):
            let reason = "not complete within \(transport.settings.resourceTimeout.text())"
            end(.failure(URLError(.timedOut, reason: reason, url: request.url)))
        }
        return nil
    }

    /// Returns the error with a description that includes the progress of the response.
    private func described(_ error: any Error) -> any Error {
        let (request, hasResponse) = state.withLock { state in
            if case .waiting = state.phase { (state.request, false) } else { (state.request, true) }
        }
        let progress = hasResponse ? receiver.progress : nil
        return URLError(reported: error)?.described(
            received: progress, timeout: request.timeoutInterval, url: request.url) ?? error
    }
}

/// Handles the delegate calls for the current task, on the delegate queue.
extension Exchange {
    /// Records that the system waits for a network, because the configuration sets `waitsForConnectivity`.
    func noteOffline() {
        state.withLock { $0.isOffline = true }
        call.exchangeWaits { [weak self] in self?.end(.failure(URLError(.notConnectedToInternet))) }
    }

    private func noteSignOfLife() {
        let now = transport.readingTime
        if state.withLock({ $0.noteSignOfLife(at: now) }) { call.exchangeContinues() }
    }

    /// Restarts the timeout after a pause.
    func resume() {
        let now = transport.readingTime
        state.withLock { state in
            state.clock.isPaused = false
            state.clock.noteActivity(at: now)
        }
    }

    func receive(_ response: URLResponse) {
        noteSignOfLife()
        // On Linux, URLSession delivers 1xx responses before the final response.
        let status = (response as? HTTPURLResponse)?.statusCode ?? 200
        guard status >= 200, state.withLock({ $0.receiveHead() }) else { return }
        do {
            switch try receiver.begin(response, to: self.request) {
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
        ExchangeTimer.queue.asyncAfter(deadline: .now() + Self.ignoredBodyTimeout) { [weak self] in self?.endIgnored() }
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

    /// Whether the call reports the progress of the request's body instead of the response's body.
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
        // On Linux, URLSession doesn't call the delegate for a redirect without a usable Location, nor for its body.
        if let error = Redirect.failure(response) { return decide(.failure(error)) }
        receive(response)
        decide(.success(response))
    }

    /// Returns the response, or an error if the length of the body differs from the announced length.
    func checked(_ response: URLResponse) -> Result<URLResponse, any Error> {
        receiver.isComplete ? .success(response) : .failure(described(URLError(.networkConnectionLost)))
    }
}
