import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One attempt of a call. If the receiver refuses a response, the attempt sends a second request.
///
/// ```
/// TrackedRequest ─▶ Exchange ─▶ BodyReceiver   stores the body: DataReceiver or DownloadFile
///                      │ └────▶ EventRelay     calls the caller's event handler
///                      └──────▶ Wire           sends requests: CurlWire or URLSessionWire
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
    private let hasEnded = Lock(false)
    private let (results, continuation) = AsyncThrowingStream.makeStream(of: URLResponse.self)

    /// - Parameter endsOffline: Whether the exchange ends if URLSession waits for a network.
    init(
        of request: URLRequest, _ body: RequestBody, over wire: any Wire, into receiver: any BodyReceiver,
        _ events: EventRelay, endsOffline: Bool
    ) {
        self.wire = wire
        self.events = events
        self.request = request
        self.body = body
        self.receiver = receiver
        self.endsOffline = endsOffline
    }

    func perform(attempt: Int) async throws -> URLResponse {
        try await withTaskCancellationHandler {
            events.post(.started(attempt: attempt), canBlock: receivesFile) { self.start() }
            for try await response in results { return response }
            // The stream can notice the cancellation before the handler does.
            end(CancellationError())
            throw CancellationError()
        } onCancel: {
            end(CancellationError())
        }
    }

    private func start() {
        if let error = request.unusable { end(error) } else { send() }
    }

    /// If the receiver has refused a response, its events must not arrive between the refusal and this call.
    private func send() {
        do { wire.start(try receiver.prepare(request), body, for: self) } catch { end(error) }
    }

    // MARK: Events

    func receive(_ event: WireEvent) {
        switch event {
        case .offline where endsOffline: end(URLError(.notConnectedToInternet))
        case .offline: events.post(.waitingForConnectivity(error: URLError(.notConnectedToInternet)))
        case .connecting: checkTime()
        case .sent(let count, let total):
            guard isUpload else { return }
            let progress = TransferProgress(completedBytes: count, totalBytes: total > 0 ? total : nil)
            if progress.isComplete { events.post(.progress(progress)) } else { events.report(progress) }
        case .response(let response): _ = begin(response)
        case .data(let data): write(data)
        case .completed(_, let error?): end(error)
        case .completed(let response?, nil):
            guard let progress = receiver.progress else {
                if begin(response) { finish(response) }
                break
            }
            do {
                try check(progress.completedBytes, of: progress.totalBytes, isWhole: true)
                finish(response)
            } catch {
                end(error)
            }
        case .completed(nil, nil): end(URLError(.badServerResponse))
        }
    }

    // MARK: The time

    /// On this queue, the checks run even while every thread of the cooperative pool is blocked.
    private static let queue = DispatchQueue(label: "NetworkIndicator.Exchange")

    /// The checks of all exchanges, by their times in units of 50 ms. Those with the same time share a timer, because
    /// each timer wakes two threads.
    private static let checks = Lock<[UInt64: [@Sendable () -> Void]]>([:])

    private func checkTime(after delay: Duration) {
        // The check remains for this time even if the exchange ends earlier.
        let deadline = DispatchTime.now() + delay.clamped(to: .milliseconds(1) ... .seconds(600)).timeInterval
        let time = deadline.uptimeNanoseconds / 50_000_000 + 1
        let isFirst = Self.checks.withLock { checks in
            checks[time, default: []].append { [weak self] in self?.checkTime() }
            return checks[time]?.count == 1
        }
        guard isFirst else { return }
        Self.queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: time * 50_000_000)) {
            for check in Self.checks.withLock({ $0.removeValue(forKey: time) }) ?? [] { check() }
        }
    }

    private func checkTime() {
        guard let silence = wire.silence else { return }
        let rest = .seconds(request.timeoutInterval) - silence
        if rest > .zero { checkTime(after: rest) } else { end(URLError(.timedOut)) }
    }

    // MARK: The body

    /// - Returns: `false` if the receiver has refused the response, or if the exchange has ended.
    private func begin(_ response: URLResponse) -> Bool {
        do {
            switch try receiver.begin(response, to: request) {
            case .accepted(let event):
                guard let event, let progress = receiver.progress else { break }
                // A short body usually arrives with its response.
                if progress.totalBytes ?? .max > 16_384 {
                    events.post(event, .progress(progress))
                } else {
                    events.postpone(event, .progress(progress))
                }
            case .ignored:
                finish(response)
                return false
            case .refused:
                send()
                return false
            }
            return true
        } catch {
            end(error)
            return false
        }
    }

    private func write(_ data: Data) {
        do {
            // Otherwise, the rest of the body could count as the whole body.
            guard let earlier = receiver.progress else {
                throw URLError(.badServerResponse, reason: "data arrived without a final response", url: nil)
            }
            try receiver.write(data)
            let length = earlier.completedBytes + Int64(data.count)
            try check(length, of: earlier.totalBytes)
            if !isUpload { events.report(TransferProgress(completedBytes: length, totalBytes: earlier.totalBytes)) }
        } catch {
            end(error)
        }
    }

    /// A body must have the length that the server has announced.
    private func check(_ length: Int64, of total: Int64?, isWhole: Bool = false) throws(URLError) {
        guard let total, length > total || isWhole && length < total else { return }
        let reason = length > total ? "the server sent more than the announced \(total) bytes" : nil
        throw URLError(.networkConnectionLost, reason: reason, url: request.url)
    }

    private var isUpload: Bool { if case .ofRequest = body { false } else { true } }

    // MARK: The end

    func end(_ error: any Error) { end { throw described(error) } }

    private func finish(_ response: URLResponse) {
        end {
            try receiver.finish(response)
            // The total of a body without a usable length is known only at its end.
            if !isUpload, let progress = receiver.progress, progress.totalBytes == nil {
                let received = progress.completedBytes
                events.post(.progress(TransferProgress(completedBytes: received, totalBytes: received)))
            }
            return response
        }
    }

    /// Only the first end has an effect.
    private func end(_ result: () throws -> URLResponse) {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return }
        let result = Result { try result() }
        // When the call has ended, the caller can invalidate the session.
        wire.cancel()
        continuation.yield(with: result)
    }

    private func described(_ error: any Error) -> any Error {
        guard let reported = URLError(reported: error) else { return error }
        return reported.described(
            received: receiver.progress, timeout: request.timeoutInterval, url: reported.failingURL ?? request.url)
    }

    /// Whether the attempt received a byte. A host that responds is online.
    var hasResponse: Bool { wire.hasReceived }

    var receivesFile: Bool { !(receiver is DataReceiver) }
}
