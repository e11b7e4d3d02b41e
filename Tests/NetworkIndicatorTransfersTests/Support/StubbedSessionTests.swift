import Foundation
import NetworkIndicator
import NetworkIndicatorTestKit
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

/// Programs use these stubs in their own tests. On Linux, stubbed requests go through URLSession.
@Suite(.timeLimit(.minutes(2)))
struct StubbedSessionTests {
    private let url = URL(string: "https://h.invalid/users?page=2")!
    private let manager = NetworkIndicatorManager(configuration: .immediate)

    private func data(
        _ session: URLSession, _ request: URLRequest, _ policy: TrackedRetryPolicy = .singleAttempt
    ) async throws -> (Data, URLResponse) {
        try await session.trackedData(for: request, policy: policy, manager: manager)
    }

    @Test func aRequestAndItsResponse() async throws {
        let requests = Log<URLRequest>()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Client": "test"]
        let session = URLSession.stubbed(configuration: configuration) { request in
            requests.add(request)
            return StubbedResponse(status: 201, headers: ["X-Server": "stub"], body: Data("[]".utf8))
        }
        var request = URLRequest("POST", url, body: "{}")
        request.setValue("1", forHTTPHeaderField: "X-Request")
        let (body, response) = try await data(session, request)
        let http = try #require(response as? HTTPURLResponse)
        #expect(body == Data("[]".utf8) && http.statusCode == 201 && http.expectedContentLength == 2)
        #expect(http.value(forHTTPHeaderField: "X-Server") == "stub")
        _ = try await session.trackedUpload(
            for: request, from: Data("{}".utf8), policy: .singleAttempt, manager: manager)
        for received in requests.entries {
            #expect(received.httpMethod == "POST" && received.url == url && received.httpBody == Data("{}".utf8))
            #expect(received.value(forHTTPHeaderField: "X-Request") == "1")
            #expect(received.allHTTPHeaderFields?.keys.contains { $0.contains("Stub") } == false)
        }
        #expect(requests.entries.count == 2 && configuration.httpAdditionalHeaders?.count == 1)
    }

    @Test(arguments: [true, false]) func aDownload(isCut: Bool) async throws {
        let session = URLSession.stubbed { _ in
            StubbedResponse(headers: isCut ? ["Content-Length": "9"] : [:], body: Data("12345678".utf8))
        }
        let folder = try TemporaryFolder()
        let error =
            await failure {
                try await session.trackedDownload(
                    from: url, to: folder.url("x"), policy: .singleAttempt, manager: manager)
            } as? NetworkRequestError
        #expect(error?.code == (isCut ? .networkConnectionLost : nil) && folder.names == (isCut ? [] : ["x"]))
    }

    @Test(arguments: ["Bearer", "Basic realm=\"x\""]) func aChallenge(text: String) async throws {
        let session = URLSession.stubbed { _ in StubbedResponse(status: 401, headers: ["WWW-Authenticate": text]) }
        let (_, response) = try await data(session, URLRequest(url: url))
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
    }

    @Test @MainActor func aDelayOnTheManualClock() async throws {
        let scheduler = ManualScheduler()
        let session = URLSession.stubbed { _ in
            try await scheduler.sleep(for: .seconds(3))
            return StubbedResponse()
        }
        let ended = Log<Void>()
        let call = Task {
            _ = try await data(session, URLRequest(url: url))
            ended.add(())
        }
        await scheduler.waitForSleepers()
        scheduler.advance(by: .milliseconds(2_999))
        #expect(ended.entries.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        try await call.value

        let cancelled = Task { try await data(session, URLRequest(url: url)) }
        await scheduler.waitForSleepers()
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
        while scheduler.sleeperCount > 0 { await Task.yield() }
    }

    @Test func eachSessionHasItsClosure() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let session = URLSession.stubbed { _ in StubbedResponse(body: Data("\(number)".utf8)) }
                    let (body, _) = try await data(session, URLRequest(url: url))
                    #expect(body == Data("\(number)".utf8))
                }
            }
            try await group.waitForAll()
        }
    }

    /// URLSession on Linux traps if a task ends while it is being cancelled.
    @Test func cancellationsAtAnyTime() async throws {
        let session = URLSession.stubbed { _ in
            for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
            return StubbedResponse(body: Data("x".utf8))
        }
        for _ in 0..<20 {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        let call = Task { try await data(session, URLRequest(url: url)) }
                        for _ in 0..<Int.random(in: 0...60) { await Task.yield() }
                        call.cancel()
                        let error = await failure { try await call.value }
                        #expect(error == nil || error is CancellationError, "\(error as Any)")
                    }
                }
            }
        }
    }

    // MARK: The monitor

    @Test func aMonitorMissesNoChange() async {
        let monitor = ManualConnectivityMonitor()
        #expect(!monitor.isOffline)
        await monitor.waitForChange()
        monitor.goOffline()
        #expect(monitor.isOffline)
        let waits = (0..<3).map { _ in Task { await monitor.waitForChange() } }
        waits[0].cancel()
        await waits[0].value
        monitor.goOnline()
        for wait in waits { await wait.value }
        #expect(!monitor.isOffline)
    }
}
