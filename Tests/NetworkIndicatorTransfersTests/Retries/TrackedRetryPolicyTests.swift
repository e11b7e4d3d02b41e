import Foundation
import LoopbackServer
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Failures and their retries.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TrackedRetryPolicyTests {
    let bench = Bench()

    @Test func refusedTwiceThenAccepted() async throws {
        let server = try LoopbackServer(isListening: false)
        server.on("/", .text("Hello"))
        let response = try await bench.data(URLRequest("GET", server.url("/")), .standard.unhurried) { event in
            if case .willRetry(3, _, _) = event { try? server.startListening() }
            if case .started = event { #expect(bench.manager.entryCount == 1) }
            if case .willRetry = event { #expect(bench.manager.entryCount == 0) }
        }
        #expect(response.status == 200)
        #expect(
            bench.events.entries == [
                .started(1), .willRetry(2, -1004), .started(2), .willRetry(3, -1004), .started(3), .finished,
            ])
        #expect(bench.notifications.entries.map(\.isStart) == [true, false, true, false, true, false])
        #expect(bench.notifications.entries.map(\.attempt) == [1, 1, 2, 2, 3, 3])
        #expect(Set(bench.notifications.entries.map(\.id)).count == 1)
        let codes = bench.notifications.entries.map { ($0.error as? URLError)?.code.rawValue }
        #expect(codes == [nil, -1004, nil, -1004, nil, nil])
    }

    @Test func alwaysRefused() async throws {
        let server = try LoopbackServer(isListening: false)
        let error = await failure { try await bench.data(server.url("/"), .standard.unhurried) }
        let typed = try #require(error as? NetworkRequestError)
        #expect(typed.code == .cannotConnectToHost)
        #expect(typed.underlyingError.code == .cannotConnectToHost)
        #expect(typed.attempts == 3)
        #expect(typed.url == server.url("/"))
        #expect(typed.description.contains("3 attempts") && typed.description.contains(server.url("/").absoluteString))
        #expect(bench.events.entries.count == 6)
    }

    /// On Linux, Foundation has no description for a timeout.
    @Test func aTimeoutIsNamed() {
        let error = NetworkRequestError(underlyingError: URLError(.timedOut), attempts: 1, offlineTime: nil, url: nil)
        #expect(error.description.contains("timed out"))
        #expect(AttemptFailure.transport(URLError(.timedOut)).description.contains("timed out"))
    }

    /// Connections that end before the response is complete.
    static let faults: [(name: String, response: Response)] = {
        let file = Response.generated(size: 100_000)
        return [
            ("RST", .reset), ("FIN", .close), ("RST in the body", file.cut(.reset, after: 50_000)),
            ("FIN in the body", file.cut(.close, after: 50_000)),
            ("RST in a chunk", file.chunked().cut(.reset, after: 50_000)),
            ("FIN in a chunk", file.chunked().cut(.close, after: 50_000)),
            ("FIN after the head", file.cut(.close, after: 0)),
        ]
    }()

    @Test(arguments: faults.indices)
    func aBrokenResponseIsTriedAgain(index: Int) async throws {
        let server = try LoopbackServer()
        server.on("/", Self.faults[index].response, .generated(size: 100_000))
        let response = try await bench.data(server.url("/"), .standard.unhurried)
        #expect(Array(response.data) == Body.generated(size: 100_000, seed: 1).bytes(in: 0..<100_000))
        #expect(server.hits("/") == 2, "\(Self.faults[index].name)")
    }

    @Test(arguments: faults.indices)
    func aPartIsNeverASuccess(index: Int) async throws {
        let server = try LoopbackServer()
        server.on("/", Self.faults[index].response)
        let error = await failure { try await bench.data(server.url("/"), .standard.unhurried) }
        #expect((error as? NetworkRequestError)?.attempts == 3, "\(Self.faults[index].name): \(error as Any)")
        #expect(server.hits("/") == 3)
    }

    @Test func aSilentServerTimesOutThreeTimes() async throws {
        let server = try LoopbackServer()
        server.on("/", .silence)
        let request = URLRequest("GET", server.url("/"), timeout: 1)
        let error = await failure { try await bench.data(request, .standard.unhurried) } as? NetworkRequestError
        #expect(error?.code == .timedOut)
        #expect(error?.attempts == 3)
        #expect(server.hits("/") == 3)
    }

    @Test func aSlowServerDoesNotTimeOut() async throws {
        let server = try LoopbackServer()
        server.on("/", .bytes(Array(repeating: 7, count: 16)).dripping(1, every: .milliseconds(250)))
        let response = try await bench.data(URLRequest("GET", server.url("/"), timeout: 3), .standard.unhurried)
        #expect(response.data.count == 16)
        #expect(bench.events.entries == [.started(1), .finished])
    }

    // MARK: Statuses

    @Test func aLastingServerErrorIsReturnedInTheEnd() async throws {
        let server = try LoopbackServer()
        server.on("/", .status(503))
        #expect(try await bench.data(server.url("/"), .retryingServerErrors.unhurried).status == 503)
        #expect(server.hits("/") == 3)
    }

    @Test func theHeaderIsWaitedFor() async throws {
        let server = try LoopbackServer()
        let clock = ManualTiming(skipsSleeps: true)
        server.on("/", .unavailable(retryAfter: "7"), .text("Hello"))
        #expect(try await bench.data(server.url("/"), .retryingServerErrors.on(clock)).status == 200)
        #expect(clock.sleeps == [.seconds(7)])
    }

    // MARK: Methods and bodies

    @Test func aPostIsSentOnce() async throws {
        let server = try LoopbackServer()
        server.on("/", .reset)
        let request = URLRequest("POST", server.url("/"), body: "order")
        let error = await failure { try await bench.data(request, .standard.unhurried) } as? NetworkRequestError
        #expect(error?.attempts == 1)
        #expect(server.hits("/") == 1)
    }

    @Test func uploadsAreReplayed() async throws {
        let server = try LoopbackServer()
        server.on("/", .reset, .close, .text("done"))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).upload")
        try Data("file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try await bench.session.trackedUpload(
            for: URLRequest("PUT", server.url("/")), fromFile: file, policy: .standard.unhurried,
            manager: bench.manager)
        #expect(server.requests("/").map(\.body) == Array(repeating: Array("file".utf8), count: 3))
    }
}
