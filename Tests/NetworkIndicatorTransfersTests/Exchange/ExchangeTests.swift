import Foundation
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.timeLimit(.minutes(1)))
struct ExchangeTests {
    private static let url = URL(string: "http://h/")!
    private static let response = URLResponse(
        url: url, mimeType: nil, expectedContentLength: 4, textEncodingName: nil)

    /// Delivers events as soon as a request is sent.
    private final class ScriptedWire: Wire {
        let events: [WireEvent]
        let (silence, hasReceived) = (Duration?.none, true)

        private let onCancel: @Sendable () -> Void

        init(_ events: [WireEvent], onCancel: @escaping @Sendable () -> Void = {}) {
            (self.events, self.onCancel) = (events, onCancel)
        }

        func start(_ request: URLRequest, _ body: RequestBody, for client: any WireClient) {
            for event in events { client.receive(event) }
        }

        func cancel() { onCancel() }
    }

    /// - Returns: The body, or the code and the reason of the error.
    private func outcome(_ events: WireEvent..., into receiver: DataReceiver = DataReceiver()) async -> String {
        let exchange = Exchange(
            of: URLRequest(url: Self.url), .ofRequest, over: ScriptedWire(events), into: receiver,
            EventRelay(SuspendingClock(), nil), endsOffline: false)
        let error = await failure { try await exchange.perform(attempt: 1) } as? URLError
        return error.map { "\($0.errorCode) \($0.reason)" } ?? String(decoding: receiver.data, as: UTF8.self)
    }

    private let response = WireEvent.response(response)
    private let end = WireEvent.completed(response, nil)
    private let broken = WireEvent.completed(nil, URLError(.networkConnectionLost))

    private func data(_ text: String) -> WireEvent { .data(Data(text.utf8)) }

    @Test func aBody() async {
        #expect(await outcome(response, data("ab"), data("cd"), end) == "abcd")
        #expect(await outcome(response, data("ab"), end) == "-1005 the connection was lost after 2 of 4 B")
        #expect(await outcome(response, data("ab"), broken) == "-1005 the connection was lost after 2 of 4 B")
        let receiver = DataReceiver()
        #expect(await outcome(response, data("abcd"), end, into: receiver) == "abcd")
        // The next attempt.
        #expect(await outcome(broken, into: receiver) == "-1005 the connection was lost before a response")
        #expect(await outcome(data("ab"), response, end) == "-1011 data arrived without a final response")
        #expect(await outcome(response, data("ab"), response, data("cdef"), end) == "cdef")
    }

    /// For example, the response to a redirect that the delegate refuses.
    @Test func aResponseWithoutItsBody() async {
        #expect(await outcome(end).isEmpty)
        #expect(await outcome(.completed(nil, nil)).hasPrefix("-1011"))
    }

    private static let key = DispatchSpecificKey<Bool>()

    private final class FileReceiver: BodyReceiver {
        let isOnQueue = Log<Bool>()
        let finishes = Log<Void>()
        let progress: TransferProgress? = nil
        let resumableLength: Int64 = 0

        func prepare(_ request: URLRequest) -> URLRequest {
            isOnQueue.add(DispatchQueue.getSpecific(key: key) == true)
            return request
        }

        func begin(_ response: URLResponse, to request: URLRequest) -> BodyDisposition { .ignored }
        func write(_ data: Data) {}
        func finish(_ response: URLResponse) { finishes.add(()) }
    }

    /// Examining a part can block, and must not block a thread of the cooperative pool.
    @Test func aFileIsPreparedOnTheQueueOfTheCallEvenWithoutAHandler() async throws {
        let events = EventRelay(SuspendingClock(), nil)
        events.queue.setSpecific(key: Self.key, value: true)
        let receiver = FileReceiver()
        let exchange = Exchange(
            of: URLRequest(url: Self.url), .ofRequest, over: ScriptedWire([response]), into: receiver, events,
            endsOffline: false)
        _ = try await exchange.perform(attempt: 1)
        #expect(receiver.isOnQueue.entries == [true])
    }

    /// The caller can then invalidate the session, in which no task can be created.
    @Test func theRequestIsCancelledBeforeTheCallEnds() async {
        let hasEnded = DispatchSemaphore(value: 0)
        let isLate = Log<Bool>()
        let wire = ScriptedWire([broken]) { isLate.add(hasEnded.wait(timeout: .now() + 0.1) == .success) }
        let exchange = Exchange(
            of: URLRequest(url: Self.url), .ofRequest, over: wire, into: DataReceiver(),
            EventRelay(SuspendingClock()) { _ in }, endsOffline: false)
        _ = await failure { try await exchange.perform(attempt: 1) }
        hasEnded.signal()
        #expect(isLate.entries == [false])
    }

    @Test func onlyTheFirstEndCounts() async {
        let receiver = FileReceiver()
        let exchange = Exchange(
            of: URLRequest(url: Self.url), .ofRequest, over: ScriptedWire([broken]), into: receiver,
            EventRelay(SuspendingClock(), nil), endsOffline: false)
        _ = await failure { try await exchange.perform(attempt: 1) }
        exchange.receive(end)
        #expect(receiver.finishes.entries.isEmpty)
    }

    /// A transfer that waits for a connection when its time is checked.
    private final class WaitingWire: Wire {
        let checks = Log<Duration?>()
        let hasReceived = false

        var silence: Duration? {
            let count = checks.entries.count
            let silence: Duration? = count == 0 ? .zero : count == 1 ? nil : .seconds(60)
            checks.add(silence)
            return silence
        }

        func start(_ request: URLRequest, _ body: RequestBody, for client: any WireClient) {
            client.receive(.connecting)
        }

        func cancel() {}
    }

    @Test func theTimeIsCheckedAgainAfterAWait() async throws {
        let request = URLRequest("GET", Self.url, timeout: 0.001)
        let wire = WaitingWire()
        let exchange = Exchange(
            of: request, .ofRequest, over: wire, into: DataReceiver(), EventRelay(SuspendingClock(), nil),
            endsOffline: false)
        let call = Task { try await exchange.perform(attempt: 1) }
        await wire.checks.reached(2)
        exchange.receive(.connecting)
        let error = await failure { try await call.value } as? URLError
        #expect(error?.code == .timedOut && wire.checks.entries.count == 3)
    }
}
