import Foundation
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

struct ExchangeMachineTests {
    private typealias Event = ExchangeMachine.Event

    private static let first = URLResponse(
        url: URL(string: "http://h/")!, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    private static let lost = URLError(.networkConnectionLost)

    private static let start = ExchangeMachine.Instant.now

    /// - Returns: The names of the actions to which the events lead. The timeout is 3 s.
    private func actions(_ events: Event...) -> [String] {
        var machine = ExchangeMachine(timeout: .seconds(3))
        return events.map { name(machine.handle($0)) }
    }

    private func name(_ action: ExchangeMachine.Action) -> String {
        switch action {
        case .none: "-"
        case .start: "start"
        case .begin: "begin"
        case .beginWithoutData: "begin without data"
        case .write: "write"
        case .wait(let time): "wait \(time / .seconds(1))"
        case .end(.response): "response"
        case .end(.received): "response if whole"
        case .end(.failure(let error, let isReceiving)):
            "\((error as NSError).code)\(isReceiving ? " receiving" : "")"
        }
    }

    private let response = Event.response(first)
    private let ignored = Event.ignored(first, until: start.advanced(by: .seconds(1)))
    private let data = Event.data(Data())
    private let end = Event.completed(first, nil)
    private let broken = Event.completed(nil, lost)

    private func time(_ now: Double, silence: Double = 0) -> Event {
        .time(Self.start.advanced(by: .seconds(now)), silence: .seconds(silence))
    }

    @Test func aBody() {
        #expect(actions(response, data, end) == ["begin", "write", "response if whole"])
        #expect(actions(response, data, broken) == ["begin", "write", "-1005 receiving"])
        #expect(actions(broken) == ["-1005"])
        #expect(actions(data, end) == ["-1011", "-"])
        #expect(actions(response, .refused, response) == ["begin", "start", "begin"])
        #expect(actions(.completed(nil, nil)) == ["-1011"])
    }

    @Test func anUnneededBody() {
        #expect(actions(response, ignored, data, end) == ["begin", "-", "-", "response"])
        #expect(actions(response, ignored, broken) == ["begin", "-", "response"])
        let waits = actions(response, ignored, time(0.75, silence: 9), time(1))
        #expect(waits == ["begin", "-", "wait 0.25", "response"])
    }

    @Test func aResponseThatWasNotDelivered() {
        #expect(actions(end, end) == ["begin without data", "response"])
        #expect(actions(end, ignored, end) == ["begin without data", "-", "response"])
        #expect(actions(end, .refused, response) == ["begin without data", "start", "begin"])
    }

    @Test func theTime() {
        #expect(actions(time(9, silence: 1), time(9, silence: 3)) == ["wait 2.0", "-1001"])
        #expect(actions(response, time(4, silence: 1), time(9, silence: 3)).last == "-1001 receiving")
        #expect(actions(response, .time(.now, silence: nil)) == ["begin", "-"])
    }

    @Test func nothingFollowsTheEnd() {
        let later = actions(
            .failed(CancellationError()), response, ignored, .refused, data, end, time(99))
        #expect(later.dropFirst().allSatisfy { $0 == "-" })
    }
}

@Suite(.timeLimit(.minutes(1)))
struct ExchangeTests {
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
        let request = URLRequest("GET", try #require(URL(string: "http://h/")), timeout: 0.001)
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
