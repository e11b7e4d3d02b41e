import Foundation
import LoopbackServer
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

/// The same cases for each wire. On Linux, the code for Apple's systems therefore runs, too.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct WireTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test(arguments: Wires.allCases) func theWireOfASession(wires: Wires) throws {
        let bench = Bench(wires)
        let wire = makeWire(for: URLRequest(url: server.url("/")), in: bench.session)
        #expect((wire is URLSessionWire) == (wires != .curl))
        let data = try #require(URL(string: "data:,x"))
        #expect(makeWire(for: URLRequest(url: data), in: bench.session) is URLSessionWire)
        // A session that is invalidated has no delegate.
        withExtendedLifetime(bench) {}
    }

    @Test(arguments: Wires.allCases, ["GET", "HEAD", "DELETE"]) func aBody(wires: Wires, method: String) async throws {
        server.on("/", .redirect(to: "/x"))
        server.on("/x", .generated(size: 300_000).preceded(by: "HTTP/1.1 103 Early\r\nX-Early: 1\r\n\r\n"))
        let bench = Bench(wires)
        let (data, response) = try await bench.session.trackedData(
            for: URLRequest(method, server.url("/")), manager: bench.manager)
        #expect(data.count == (method == "HEAD" ? 0 : 300_000))
        let http = try #require(response as? HTTPURLResponse)
        #expect(http.statusCode == 200 && http.url == server.url("/x"))
        #expect(http.value(forHTTPHeaderField: "X-Early") == nil)
        #expect(server.requests.map(\.method) == [method, method])
    }

    @Test(arguments: Wires.allCases) func aDownloadThatIsResumed(wires: Wires) async throws {
        let file = Response.generated(size: 300_000).ranged(entityTag: "\"1\"")
        server.on("/", file.cut(.reset, after: 200_000), .unavailable(), file)
        let (bench, folder) = (Bench(wires), try TemporaryFolder())
        let policy = TrackedRetryPolicy.retryingServerErrors.unhurried
        let (url, _) = try await bench.session.trackedDownload(
            from: server.url("/"), to: folder.url("x"), policy: policy, manager: bench.manager)
        #expect(
            try Array(Data(contentsOf: url)) == Body.generated(size: 300_000, seed: 1).bytes(in: 0..<300_000))
        #expect(server.requests.last?.headers["Range"]?.hasPrefix("bytes=") == true)
    }

    @Test(arguments: Wires.allCases, [RequestBody.data(Data()), .ofRequest]) func anUpload(
        wires: Wires, body: RequestBody
    ) async throws {
        server.on("/") { $0.hit == 1 ? .reset : .text("\($0.body.count)") }
        let (bench, folder, sent) = (Bench(wires), try TemporaryFolder(), Log<TransferProgress>())
        try Data(count: 700_000).write(to: folder.url("x"))
        let record: @Sendable (AttemptEvent) -> Void = { if case .progress(let progress) = $0 { sent.add(progress) } }
        let request = URLRequest("PUT", server.url("/"), body: "not this")
        let policy = TrackedRetryPolicy.standard.unhurried
        let (data, _) =
            if case .data = body {
                try await bench.session.trackedUpload(
                    for: request, from: Data(count: 700_000), policy: policy, manager: bench.manager, onEvent: record)
            } else {
                try await bench.session.trackedUpload(
                    for: request, fromFile: folder.url("x"), policy: policy, manager: bench.manager, onEvent: record)
            }
        #expect(data == Data("700000".utf8))
        #expect(sent.entries.last?.completedBytes == 700_000 && sent.entries.allSatisfy { $0.totalBytes == 700_000 })
    }

    /// Such a file can also be on a slow volume, or not yet in the device's copy of a cloud.
    @Test(arguments: Wires.allCases) func aFileThatBlocksDelaysNoOtherCall(wires: Wires) async throws {
        server.on("/", .text("Hello"))
        let (bench, folder) = (Bench(wires), try TemporaryFolder())
        let file = folder.url("FIFO")
        #expect(mkfifo(file.path, 0o600) == 0)
        let upload = Task {
            try await bench.session.trackedUpload(
                for: URLRequest("PUT", server.url("/upload")), fromFile: file, manager: bench.manager)
        }
        // Opening a FIFO for writing fails unless a reader has it open.
        var writer: Int32 = -1
        while writer < 0 {
            writer = open(file.path, O_WRONLY | O_NONBLOCK)
            await Task.yield()
        }
        defer { close(writer) }
        #expect(try await bench.data(server.url("/"), .singleAttempt).data == Data("Hello".utf8))
        upload.cancel()
        _ = await upload.result
    }

    @Test(arguments: Wires.allCases) func aBodyOfTheRequest(wires: Wires) async throws {
        server.on("/") { .bytes($0.body) }
        let bench = Bench(wires)
        var request = URLRequest("POST", server.url("/"), body: "data")
        #expect(try await bench.data(request, .singleAttempt).data == Data("data".utf8))
        #expect(server.requests.last?.headers["Content-Type"] == "application/x-www-form-urlencoded")
        // URLSession sends a stream in chunks.
        let stream = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        request.httpBodyStream = InputStream(data: stream)
        #expect(try await bench.data(request, .singleAttempt).data == stream)
        request.httpBodyStream = nil
        request.httpBody = nil
        #expect(try await bench.data(request, .singleAttempt).data == Data())
        #expect(server.requests.map(\.method) == ["POST", "POST", "POST"])
        #expect(server.requests.last?.headers["Content-Length"] == "0")
    }

    @Test(arguments: Wires.allCases) func failures(wires: Wires) async throws {
        server.on("/silence", .silence)
        server.on("/reset", .reset)
        let refusing = try LoopbackServer(isListening: false)
        let cases: [(URL, URLError.Code)] = [
            (server.url("/silence"), .timedOut), (server.url("/reset"), .networkConnectionLost),
            (refusing.url("/"), .cannotConnectToHost),
        ]
        for (url, code) in cases {
            let error = await failure {
                try await Bench(wires).data(
                    URLRequest("GET", url, timeout: code == .timedOut ? 1 : 240), .singleAttempt)
            }
            #expect((error as? NetworkRequestError)?.code == code)
        }
    }

    /// Otherwise, the line break would begin another request.
    @Test(arguments: Wires.allCases, ["\r", "\n", "\0", " / HTTP/1.1\r\nHost: x\r\n\r\nGET"])
    func lineBreaks(wires: Wires, text: String) async throws {
        server.on("/", .text("Hello"))
        let bench = Bench(wires)
        var request = URLRequest("GET\(text)X", server.url("/"))
        // Foundation leaves out such a header, even if it was set.
        request.setValue("secret\(text)X: 1", forHTTPHeaderField: "X-Lines")
        let error = await failure { try await bench.data(request, .singleAttempt) } as? NetworkRequestError
        #expect(error?.code == .badURL)
        request.httpMethod = "GET"
        _ = try await bench.data(request, .singleAttempt)
        #expect(server.requests.count == 1 && server.requests[0].headers["X"] == nil)
    }

    @Test(arguments: Wires.allCases) func aCancellation(wires: Wires) async throws {
        server.on("/", .silence)
        let bench = Bench(wires)
        for _ in 1...20 {
            let hits = server.hits("/")
            let call = Task { try await bench.data(server.url("/"), .standard) }
            while server.hits("/") == hits { await Task.yield() }
            call.cancel()
            #expect(await failure { try await call.value } is CancellationError)
        }
        // URLSession on Linux may keep the connections of cancelled tasks.
        if wires == .curl { await server.connectionsEnded() }
    }

    #if canImport(FoundationNetworking)
    /// URLSession on Linux doesn't wait for a network.
    @Test func aWaitForANetwork() async throws {
        server.on("/", .silence)
        let bench = Bench(.taskDelegates)
        let call = Task { try await bench.data(URLRequest("POST", server.url("/")), .standard) }
        while server.hits("/") == 0 { await Task.yield() }
        let tasks = await withCheckedContinuation { done in bench.session.getAllTasks { done.resume(returning: $0) } }
        for task in tasks {
            let wire = try #require(task.delegate as? URLSessionWire)
            wire.urlSession(bench.session, taskIsWaitingForConnectivity: task)
        }
        while bench.events.entries.count < 2 { await Task.yield() }
        #expect(bench.events.entries == [.started(1), .waiting(URLError.notConnectedToInternet.rawValue)])
        call.cancel()
        _ = await call.result
    }
    #endif

    @Test(arguments: Wires.allCases) func aHungServerOnTheClockOfTheTest(wires: Wires) async throws {
        server.on("/", .silence)
        let (bench, clock) = (Bench(wires) { $0.timeoutIntervalForResource = 30 }, TestClock())
        let call = Task { try await bench.data(server.url("/"), .standard.on(clock)) }
        await clock.sleepsBegun(1)
        #expect(clock.sleeps == [.seconds(30)])
        while server.hits("/") == 0 { await Task.yield() }
        clock.advance(by: .seconds(30))
        let error = await failure { try await call.value } as? NetworkRequestError
        #expect(error?.code == .timedOut && error?.attemptCount == 1)
        #expect(error?.description == "not complete within 30 s")
    }
}
