import Dispatch
import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One URLSession task as an async call: one request and its answer.
///
/// URLSession's own `data(for:)` deadlocks on Linux when its Swift task is cancelled (swift-corelibs-foundation #5412).
/// Here, a cancelled call returns at once, and the URLSession task is cancelled afterwards.
final class Exchange: Sendable {
    struct Outcome: Sendable {
        let response: URLResponse
        /// The request that follows the redirect, if the response is one that is followed.
        var next: URLRequest?
    }

    // `@unchecked Sendable`: the lock guards it. Foundation doesn't declare responses as `Sendable` on every system.
    private struct State: @unchecked Sendable {
        var continuation: CheckedContinuation<Outcome, any Error>?
        var task: URLSessionTask?
        /// Whether the outcome is decided. The task may still be running.
        var isDecided = false
        /// Whether the task has called its last delegate method.
        var isComplete = false
        var hasResponse = false
        /// The response whose body isn't needed, while a request for credentials may follow it.
        var ignored: URLResponse?
        var ignoredBytes = 0
        var clock: ExchangeClock
        /// Whether the system waits for a network.
        var isWaiting = false
    }

    let request: URLRequest
    private let transport: Transport
    private var receiver: any BodyReceiver { transport.receiver }
    private let queue: OperationQueue
    private let state: Lock<State>

    /// An ignored body is read up to this size, so that the connection can be reused.
    private static let ignoredBytesLimit = 1_000_000
    /// An ignored body is read for at most this time.
    private static let ignoredBodyTimeout: DispatchTimeInterval = .seconds(1)

    /// - Parameters:
    ///   - request: The request, for redirects and error messages.
    ///   - transport: The attempt. Its receiver and handlers are called on the delegate queue.
    ///   - queue: The serial delegate queue of the task's session.
    ///   - limit: How long the exchange may take.
    init(_ request: URLRequest, _ transport: Transport, queue: OperationQueue, limit: Duration) {
        self.request = request
        self.transport = transport
        self.queue = queue
        state = Lock(State(clock: ExchangeClock(limit: limit, timeout: request.timeoutInterval)))
    }

    /// Resumes a task and waits for the outcome.
    ///
    /// - Parameter makeTask: Makes the task. Its delegate calls the methods below.
    /// - Returns: The outcome.
    /// - Throws: A `URLError`, an error of the receiver, or `CancellationError`.
    func run(_ makeTask: () -> URLSessionTask) async throws -> Outcome {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                let task = SessionTracking.$isEnabled.withValue(false) { makeTask() }
                let isCancelled = state.withLock { state in
                    state.task = task
                    if !state.isDecided { state.continuation = continuation }
                    return state.isDecided
                }
                if isCancelled {
                    // A task that is never resumed stays alive until it is cancelled.
                    cancelTask()
                    continuation.resume(throwing: CancellationError())
                } else {
                    state.withLock { $0.clock.start() }
                    task.resume()
                    checkTime()
                }
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    /// Decides the outcome, if it isn't decided yet. The task continues.
    func decide(_ result: Result<Outcome, any Error>) {
        let continuation = state.withLock { state in
            state.isDecided = true
            state.clock.stop()
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(with: result)
    }

    /// Decides the outcome, if it isn't decided yet, and cancels the task.
    func end(_ result: Result<Outcome, any Error>) {
        decide(result)
        cancelTask()
    }

    var isDecided: Bool { state.withLock(\.isDecided) }

    private func cancelTask() {
        #if canImport(FoundationNetworking)
        // A cancellation during the task's completion traps (swift-corelibs-foundation #3296). The completion is an
        // operation of the same serial queue, so it can't run during this one.
        let cancellation = BlockOperation { [self] in
            guard let task = state.withLock({ $0.isComplete ? nil : $0.task }) else { return }
            task.cancel()
            // Reading the priority waits for the task's own queue, which performs the cancellation in two steps.
            repeat { _ = task.priority } while task.error == nil && task.state == .canceling
            _ = task.priority
        }
        queue.addOperation(cancellation)
        #else
        state.withLock { $0.task }?.cancel()
        #endif
    }
}

/// Timeouts.
extension Exchange {
    /// Stops the time during a decision of the caller's delegate.
    func pause() { state.withLock { $0.clock.isPaused = true } }

    func resume() {
        state.withLock { state in
            state.clock.isPaused = false
            state.clock.noteActivity()
        }
    }

    /// Ends the exchange if a limit is exceeded. Otherwise, this checks again when a limit may be exceeded.
    private func checkTime() {
        #if canImport(FoundationNetworking)
        let observed = (queue as? BoundedDelegateQueue)?.observedPeriod
        #else
        let observed: (start: DispatchTime, end: DispatchTime)? = nil
        #endif
        let (verdict, hasResponse) = state.withLock { state in
            let verdict = state.isDecided ? nil : state.clock.check(observed)
            if case .wait(let time) = verdict {
                state.clock.arm(after: time) { [weak self] in self?.checkTime() }
            }
            return (verdict, state.hasResponse)
        }
        switch verdict {
        case .silent:
            let error = URLError(.timedOut)
            end(.failure(Self.describe(error, hasResponse ? receiver.progress : nil, request)))
        case .tooLong(let limit):
            let reason = "not complete within \(limit.text(decimals: limit < .seconds(10) ? 1 : 0))"
            end(.failure(URLError(.timedOut, reason: reason, url: request.url)))
        case .wait, nil: break
        }
    }
}

/// The methods that the task's delegate calls, on the delegate queue.
extension Exchange {
    /// Notes that the system waits for a network, as `waitsForConnectivity` asks it to.
    func noteWaiting() {
        state.withLock { $0.isWaiting = true }
        transport.onWait?(true)
    }

    private func noteSignOfLife() {
        let wasWaiting = state.withLock { state in
            state.clock.noteActivity()
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if wasWaiting { transport.onWait?(false) }
    }

    func receive(_ response: URLResponse) {
        // On Linux, URLSession reports a 100 or 103 like an answer, and then the answer.
        let status = (response as? HTTPURLResponse)?.statusCode ?? 200
        noteSignOfLife()
        let isAnswer = state.withLock { state in
            guard status >= 200, !state.isDecided else { return false }
            state.hasResponse = true
            state.ignored = nil
            return true
        }
        guard isAnswer else { return }
        do {
            guard try !receiver.begin(response) else { return }
            #if canImport(FoundationNetworking)
            // URLSession asks for credentials after the body. If that doesn't end, this is the answer.
            if status == 401 {
                state.withLock { $0.ignored = response }
                return cancelLater(after: .seconds(Int(request.timeoutInterval)))
            }
            #endif
            decide(.success(Outcome(response: response)))
            cancelLater(after: Self.ignoredBodyTimeout)
        } catch {
            end(.failure(error))
        }
    }

    /// Cancels the task if it is still receiving a body that isn't needed.
    private func cancelLater(after time: DispatchTimeInterval) {
        DispatchQueue.global().asyncAfter(deadline: .now() + time) { [weak self] in self?.endIgnored() }
    }

    private func endIgnored() {
        let (ignored, isDecided) = state.withLock { ($0.ignored, $0.isDecided) }
        if isDecided {
            cancelTask()
        } else if let ignored {
            end(.success(Outcome(response: ignored)))
        }
    }

    func receive(_ data: Data) {
        noteSignOfLife()
        let (isIgnored, isTooMuch) = state.withLock { state in
            guard state.isDecided || state.ignored != nil else { return (false, false) }
            let before = state.ignoredBytes
            state.ignoredBytes += data.count
            return (true, before < Self.ignoredBytesLimit && state.ignoredBytes >= Self.ignoredBytesLimit)
        }
        if isTooMuch { endIgnored() }
        guard !isIgnored else { return }
        do {
            try receiver.write(data)
        } catch {
            end(.failure(error))
        }
    }

    func noteSent(_ count: Int64, of total: Int64) {
        noteSignOfLife()
        guard !isDecided else { return }
        transport.onSend?(TransferProgress(completedBytes: count, totalBytes: total > 0 ? total : nil))
    }

    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        let (task, hasResponse) = state.withLock { state in
            state.isComplete = true
            defer { state.task = nil }
            return (state.task, state.hasResponse)
        }
        withExtendedLifetime(task) {}
        guard !isDecided else { return }
        if let error {
            decide(.failure(Self.describe(error, hasResponse ? receiver.progress : nil, request)))
            return
        }
        decide(
            Result {
                guard let response else { throw URLError(.badServerResponse) }
                // On Linux the delegate doesn't receive a redirect without a Location.
                if !hasResponse { _ = try receiver.begin(response) }
                try receiver.end()
                return Outcome(response: response)
            })
    }

    /// Ends the exchange with an answer that asks for credentials, because there are none.
    func endWithoutCredentials(_ response: URLResponse?) {
        guard !isDecided, let response else { return }
        end(
            Result {
                try receiver.end()
                return Outcome(response: response)
            })
    }

    static func describe(_ error: any Error, _ progress: TransferProgress?, _ request: URLRequest) -> any Error {
        URLError(reported: error)?.described(
            received: progress, timeout: request.timeoutInterval, url: request.url) ?? error
    }
}
