import Foundation
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct ExchangeMachineTests {
    private typealias Event = ExchangeMachine.Event

    private static let first = URLResponse(
        url: URL(string: "http://h/")!, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    private static let lost = URLError(.networkConnectionLost)

    /// - Returns: The names of the actions to which the events lead after the beginning. The deadline is 10 s, and the
    ///   timeout 3 s.
    private func actions(_ events: Event...) async -> [String] {
        var names: [String] = []
        _ = try? await withCheckedThrowingContinuation { (continuation: ExchangeMachine.Continuation) in
            var machine = ExchangeMachine(deadline: .seconds(10), timeout: .seconds(3))
            names = ([.began(continuation)] + events).map { name(machine.handle($0)) }
            continuation.resume(throwing: CancellationError())
        }
        return Array(names.dropFirst())
    }

    private func name(_ action: ExchangeMachine.Action) -> String {
        switch action {
        case .none: "-"
        case .start: "start"
        case .begin: "begin"
        case .beginWithoutData: "begin without data"
        case .write: "write"
        case .wait(let time): "wait \(time / .seconds(1))"
        case .end(_, .response): "response"
        case .end(_, .received): "response if whole"
        case .end(_, .failure(let error, let isReceiving)):
            "\((error as NSError).code)\(isReceiving ? " receiving" : "")"
        case .end(_, .tooLong): "too long"
        }
    }

    private let response = Event.response(first)
    private let ignored = Event.ignored(first, until: .seconds(1))
    private let data = Event.data(Data())
    private let end = Event.completed(first, nil)
    private let broken = Event.completed(nil, lost)

    private func time(_ now: Double, silence: Double = 0) -> Event { .time(.seconds(now), silence: .seconds(silence)) }

    @Test func aBody() async {
        #expect(await actions(response, data, end) == ["begin", "write", "response if whole"])
        #expect(await actions(response, data, broken) == ["begin", "write", "-1005 receiving"])
        #expect(await actions(broken) == ["-1005"])
        #expect(await actions(data, end) == ["-1011", "-"])
        #expect(await actions(response, .refused, response) == ["begin", "start", "begin"])
        #expect(await actions(.completed(nil, nil)) == ["-1011"])
    }

    @Test func anUnneededBody() async {
        #expect(await actions(response, ignored, data, end) == ["begin", "-", "-", "response"])
        #expect(await actions(response, ignored, broken) == ["begin", "-", "response"])
        let waits = await actions(response, ignored, time(0.75, silence: 9), time(1))
        #expect(waits == ["begin", "-", "wait 0.25", "response"])
    }

    @Test func aResponseThatWasNotDelivered() async {
        #expect(await actions(end, end) == ["begin without data", "response"])
        #expect(await actions(end, ignored, end) == ["begin without data", "-", "response"])
        #expect(await actions(end, .refused, response) == ["begin without data", "start", "begin"])
    }

    @Test func theTime() async {
        #expect(await actions(time(9, silence: 1), time(9, silence: 3)) == ["wait 1.0", "-1001"])
        #expect(await actions(response, time(4, silence: 1), time(9, silence: 3)).last == "-1001 receiving")
        #expect(await actions(response, time(10, silence: 9)) == ["begin", "too long"])
    }

    @Test func nothingFollowsTheEnd() async {
        let later = await actions(
            .failed(CancellationError()), response, ignored, .refused, data, end, time(99))
        #expect(later.dropFirst().allSatisfy { $0 == "-" })
    }

    @Test func aCancellationBeforeTheBeginning() async throws {
        var machine = ExchangeMachine(deadline: .seconds(10), timeout: .seconds(3))
        #expect(name(machine.handle(.failed(CancellationError()))) == "-" && machine.isEnded)
        await #expect(throws: CancellationError.self) {
            try await withCheckedThrowingContinuation { continuation in
                guard case .end(let ended, .failure(let error, _)) = machine.handle(.began(continuation)) else {
                    return
                }
                ended.resume(throwing: error)
            }
        }
    }
}
