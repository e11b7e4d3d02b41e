import Foundation
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

struct ExchangeTests {
    private final class FakeWire: Wire {
        let clients = Log<any WireClient>()
        let cancellations = Log<Void>()

        func start(_ request: URLRequest, _ body: RequestBody, for client: any WireClient) { clients.add(client) }
        func cancel() { cancellations.add(()) }
        var silence: Duration? { nil }
        var hasReceived: Bool { false }
    }

    /// Refuses the first response.
    private final class Receiver: BodyReceiver {
        private let responses = Log<URLResponse>()

        func prepare(_ request: URLRequest) -> URLRequest { request }
        func begin(_ response: URLResponse, to request: URLRequest) -> BodyDisposition {
            responses.add(response)
            return responses.entries.count == 1 ? .refused : .accepted()
        }
        func write(_ data: Data) -> TransferProgress { TransferProgress(completedBytes: 0) }
        var progress: TransferProgress? { nil }
        var resumableLength: Int64 { 0 }
    }

    private static let url = URL(string: "http://h/")!

    private func exchange(over wire: FakeWire, into receiver: Receiver) -> Exchange {
        Exchange(
            of: URLRequest(url: Self.url), .ofRequest, over: wire, into: receiver, EventRelay(ContinuousClock(), nil),
            endsOffline: true)
    }

    /// Otherwise, the end of the refused response could be mistaken for a response to the second request.
    @Test func aRefusalReplacesTheRequestAtOnce() async throws {
        let response = URLResponse(url: Self.url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
        let (wire, receiver) = (FakeWire(), Receiver())
        let exchange = exchange(over: wire, into: receiver)
        let call = Task { try await exchange.perform(attempt: 1) }
        await wire.clients.reached(1)
        exchange.receive(.response(response))
        #expect(wire.clients.entries.count == 2)
        exchange.receive(.response(response))
        exchange.receive(.completed(response, nil))
        #expect(try await call.value === response)
        #expect(wire.cancellations.entries.count == 1)
    }
}
