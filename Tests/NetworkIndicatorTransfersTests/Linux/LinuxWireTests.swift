#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import LoopbackServer
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.timeLimit(.minutes(10)))
struct LinuxWireTests {
    private final class Client: WireClient {
        let events = Log<String>()
        var mayBeCached: Bool { false }

        func receive(_ event: WireEvent) {
            switch event {
            case .response(let response): events.add("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
            case .data(let data): events.add("\(data.count) bytes")
            case .completed(_, let error): events.add(error == nil ? "end" : "error")
            default: events.add("\(event)")
            }
        }
    }

    private let bench = Bench()
    private let server: LoopbackServer
    private let url: URL
    private let client = Client()

    init() throws {
        server = try LoopbackServer()
        url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    }

    private func response(_ status: Int) throws -> URLResponse {
        try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil))
    }

    /// The server doesn't respond to the first message of TLS.
    private func start() async throws -> (LinuxWire, URLSessionTask) {
        let wire = LinuxWire(bench.session)
        wire.start(URLRequest(url: url), .ofRequest, for: client)
        let task = try #require(await bench.session.transport.firstTask())
        while !wire.isPerforming(task) { await Task.yield() }
        return (wire, task)
    }

    @Test func theLastResponseBeforeTheDataCounts() async throws {
        let (wire, task) = try await start()
        wire.receive(try response(200), for: task)
        wire.receive(try response(404), for: task)
        #expect(client.events.entries.isEmpty && wire.hasReceived)
        // A redirected task can complete after the next task has begun.
        let redirected = bench.session.dataTask(with: url)
        wire.complete(redirected, nil)
        redirected.cancel()
        wire.receive(Data(count: 5), for: task)
        wire.receive(Data(count: 6), for: task)
        wire.complete(task, nil)
        wire.complete(task, nil)
        #expect(client.events.entries == ["response 404", "5 bytes", "6 bytes", "end"])
        wire.cancel()
    }

    @Test func anErrorDropsTheResponse() async throws {
        let (wire, task) = try await start()
        wire.noteSent(1, of: 2, for: task)
        #expect(!wire.hasReceived)
        wire.receive(try response(200), for: task)
        wire.complete(task, URLError(.unknown))
        wire.receive(Data(count: 5), for: task)
        #expect(client.events.entries == ["sent(1, of: 2)", "error"])
        wire.cancel()
    }
}
#endif
