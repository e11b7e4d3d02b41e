import Dispatch
import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTestKit
import NetworkIndicatorURLSession
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The results of a single attempt, or of none.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TrackedRequestTests {
    private struct WeakTask {
        weak var task: URLSessionTask?
    }

    let bench = Bench()

    @Test func aResponseIsOneStartAndOneFinish() async throws {
        let server = try LoopbackServer()
        server.on("/", .text("Hello"))
        let response = try await bench.data(server.url("/"), .standard)

        #expect(response.data == Data("Hello".utf8))
        #expect(response.status == 200)
        #expect(bench.events.entries == [.started(1), .finished])
        #expect(bench.notifications.entries.map(\.isStart) == [true, false])
        #expect(Set(bench.notifications.entries.map(\.id)).count == 1)
        #expect(bench.notifications.entries.allSatisfy { $0.attempt == 1 && $0.error == nil })
        #expect(bench.manager.entryCount == 0)
    }

    @Test func theTaskIsReleasedAfterTheResponse() async throws {
        let server = try LoopbackServer()
        let mayRespond = DispatchSemaphore(value: 0)
        server.on("/") { _ in
            mayRespond.wait()  // blocks the server's thread
            return .text("Hello")
        }
        let url = server.url("/")
        async let response = bench.session.trackedData(from: url, manager: bench.manager) { event in
            bench.onEvent(event)
        }
        var held = await bench.session.transport.firstTask()
        #expect(held != nil)
        let weakly = WeakTask(task: held)
        held = nil
        mayRespond.signal()
        _ = try await response
        let start = ContinuousClock.now
        while weakly.task != nil, start.duration(to: .now) < .seconds(60) { await Task.yield() }
        #expect(weakly.task == nil)
    }

    @Test func theIndicatorIsOnDuringTheAttempt() async throws {
        let server = try LoopbackServer()
        let scheduler = ManualScheduler()
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let indicator = RecordingIndicator()
        manager.attach(indicator)
        let hits = Log<Bool>()
        let mayRespond = DispatchSemaphore(value: 0)
        server.on("/") { _ in
            mayRespond.wait()  // blocks the server's thread
            return .text("Hello")
        }
        async let response = bench.session.trackedData(from: server.url("/"), manager: manager) { event in
            if case .started = event { hits.add(true) }
        }
        await hits.reached(1)
        await scheduler.advance(by: .zero)
        #expect(indicator.isVisible)
        mayRespond.signal()
        _ = try await response
        await scheduler.advance(by: .zero)
        #expect(indicator.history == [true, false])
    }

    @Test func aRedirectIsOnePair() async throws {
        let server = try LoopbackServer()
        server.on("/old", .redirect(to: "/new"))
        server.on("/new", .text("moved"))
        #expect(try await bench.data(server.url("/old"), .standard).data == Data("moved".utf8))
        #expect(bench.notifications.entries.map(\.isStart) == [true, false])
        #expect(server.hits("/old") == 1 && server.hits("/new") == 1)
    }

    @Test(arguments: ["data:text/plain,hello", "file:///etc/hosts"])
    func localURLsAreNotTracked(address: String) async throws {
        let url = try #require(URL(string: address))
        // On Linux, URLSession can't load files, so this request fails there.
        let result = try? await bench.session.trackedData(from: url, manager: bench.manager) { event in
            if case .started = event { #expect(bench.manager.entryCount == 0) }
            bench.onEvent(event)
        }
        if address.hasPrefix("data:") { #expect(result?.0 == Data("hello".utf8)) }
        #expect(bench.events.entries == [.started(1), .finished])
        #expect(bench.notifications.entries.isEmpty)
    }

    #if canImport(FoundationNetworking)
    /// On Apple's systems a timeout may be a fraction of a second.
    @Test(arguments: [
        (0.5, 1), (0.01, 1), (0, 1), (-1, 1), (1.2, 2), (TimeInterval.infinity, 1e9), (1e30, 1e9), (.nan, 60),
    ])
    func timeoutsAreWholeSeconds(timeout: TimeInterval, expected: TimeInterval) throws {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = timeout
        let url = try #require(URL(string: "http://h/"))
        let ofRequest = SessionSettings(.default).applied(to: URLRequest("GET", url, timeout: timeout))
        #expect(ofRequest.timeoutInterval == expected)
        #expect(SessionSettings(configuration).applied(to: URLRequest(url: url)).timeoutInterval == expected)
    }

    @Test func aShortTimeoutLastsForASecond() async throws {
        let server = try LoopbackServer()
        server.on("/", .silence)
        let start = ContinuousClock.now
        let request = URLRequest("GET", server.url("/"), timeout: 0.5)
        let error = await #expect(throws: NetworkRequestError.self) { _ = try await bench.data(request, .never) }
        #expect(error?.code == .timedOut)
        #expect(start.duration(to: .now) > .milliseconds(900))
    }
    #endif

    @Test func uploadsSendTheGivenBody() async throws {
        let server = try LoopbackServer()
        server.on("/") { .bytes($0.body) }
        let (echo, _) = try await bench.session.trackedUpload(
            for: URLRequest("PUT", server.url("/"), body: "not this"), from: Data("data".utf8), manager: bench.manager)
        #expect(echo == Data("data".utf8))

        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).upload")
        try Data("file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (fileEcho, _) = try await bench.session.trackedUpload(
            for: URLRequest("PUT", server.url("/")), fromFile: file, manager: bench.manager)
        #expect(fileEcho == Data("file".utf8))
    }

    @Test func aBadAddressFailsOnce() async throws {
        let url = try #require(URL(string: "nonsense://127.0.0.1/"))
        let error = try #require(await failure { try await bench.data(url, .standard) } as? NetworkRequestError)
        #expect(error.code == .unsupportedURL)
        #expect(error.attempts == 1)
        #expect(error.url == url)
        #expect(bench.events.entries == [.started(1), .finished])
    }

    #if canImport(FoundationNetworking)
    /// URLSession on Linux waits for the timeout if the file is a directory, and traps at other URLs than those of files.
    @Test(arguments: [
        ("file:///nowhere", URLError.Code.fileDoesNotExist, "cannot read /nowhere: No such file or directory"),
        ("file:///etc", .fileIsDirectory, "cannot read /etc: Is a directory"),
        ("http://me:secret@127.0.0.1/", .cannotOpenFile, "http://127.0.0.1/ is not the URL of a file"),
    ])
    func anUploadOfAFileThatCannotBeRead(address: String, code: URLError.Code, reason: String) async throws {
        let server = try LoopbackServer()
        let file = try #require(URL(string: address))
        let error = await failure {
            try await bench.session.trackedUpload(
                for: URLRequest("PUT", server.url("/")), fromFile: file, manager: bench.manager)
        }
        let typed = try #require(error as? NetworkRequestError)
        #expect(typed.code == code)
        #expect(typed.attempts == 1)
        #expect(typed.underlyingError.localizedDescription == reason)
        #expect(server.acceptedConnectionCount == 0)
    }

    /// On Apple's systems only a background session has an identifier.
    @Test func aBackgroundSessionMakesNoAttempt() async throws {
        let server = try LoopbackServer()
        let bench = Bench { $0.identifier = "uploads" }
        let error = await failure { try await bench.data(server.url("/"), .standard) } as? NetworkRequestError
        #expect(error?.attempts == 0)
        #expect(server.requests.isEmpty)
        #expect(bench.events.entries == [.finished])
    }
    #endif

    /// A call in a tracked session counts once for each attempt, and not while it waits.
    @Test func aCallInATrackedSession() async throws {
        let server = try LoopbackServer()
        server.on("/", .reset, .reset, .text("Hello"))
        let (manager, begun, waiting) = (bench.manager, Log<String?>(), Log<Int>())
        manager.attach(
            TextMonitor { line in if line.contains("began") { begun.add(line) } })
        let session = URLSession.tracked(configuration: .ephemeral, manager: manager)
        let (data, _) = try await session.trackedData(
            from: server.url("/"), policy: .standard.unhurried, manager: manager
        ) { event in
            if case .willRetry = event { waiting.add(manager.entryCount) }
        }
        #expect(data == Data("Hello".utf8))
        #expect(waiting.entries == [0, 0])
        let file = try await session.trackedDownload(for: URLRequest(url: server.url("/")), manager: manager).0
        try FileManager.default.removeItem(at: file)
        try await manager.waitUntilIdle()
        #expect(begun.entries.count == 4)
        session.finishTasksAndInvalidate()
    }
}
