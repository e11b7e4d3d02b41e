#if canImport(FoundationNetworking)
import CLibcurl
import Foundation
import LoopbackServer
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.serialized, .timeLimit(.minutes(10)))
struct CurlWireTests {
    final class Client: WireClient {
        let events = Log<String>()
        let timeChecks = Log<Void>()
        let onEnd: @Sendable () -> Void
        var receivesFile: Bool { false }

        init(onEnd: @escaping @Sendable () -> Void = {}) { self.onEnd = onEnd }

        func receive(_ event: WireEvent) {
            if case .connecting = event { timeChecks.add(()) }
            guard case .completed(_, let error) = event else { return }
            onEnd()
            events.add(error.map { "\($0)" } ?? "end")
        }
    }

    let bench = Bench()
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    func wire(_ bench: Bench) -> any Wire { makeWire(for: URLRequest(url: server.url("/")), in: bench.session) }

    @Test func sessionsWithClassesOfFoundation() throws {
        let classes = try #require(URLSession.shared.configuration.protocolClasses)
        #expect(makeWire(for: URLRequest(url: server.url("/")), in: .shared) is CurlWire)
        // `URLSession.shared` has this class, too, if another session of the process was created before.
        let type = try #require(NSClassFromString("FoundationNetworking._DataURLProtocol") as? URLProtocol.Type)
        #expect(wire(Bench { $0.protocolClasses = classes + [type] }) is CurlWire)
    }

    // MARK: Headers

    @Test func headersOfARequest() async throws {
        server.on("/", .text("Hello"))
        var request = URLRequest("PUT", server.url("/"))
        // libcurl would expect a `100 Continue` before a body of this length.
        request.httpBody = Data(count: 2_000_000)
        for (name, value) in [("X-Empty", ""), ("User-Agent", "me"), ("content-length", "3")] {
            request.setValue(value, forHTTPHeaderField: name)
        }
        _ = try await bench.data(request, .singleAttempt)
        let headers = try #require(server.requests.last?.headers)
        #expect(server.requests.last?.body.count == 2_000_000)
        #expect(headers["X-Empty"] == "" && headers["User-Agent"] == "me" && headers["Expect"] == nil)
        #expect(headers["Accept-Encoding"]?.contains("gzip") == true)
    }

    @Test func cookiesInTheOrderOfTheirAge() async throws {
        server.on("/", .raw("HTTP/1.1 200 OK\r\nSet-Cookie: b=1\r\nSet-Cookie: a=1\r\nContent-Length: 0\r\n\r\n"))
        server.on("/x", .status(200, headers: ["Set-Cookie": "c=1; path=/x"]))
        server.on("/x/", .text("Hello"))
        let bench = Bench { $0.httpCookieStorage = URLSessionConfiguration.ephemeral.httpCookieStorage }
        for path in ["/", "/x", "/x/"] { _ = try await bench.data(server.url(path), .singleAttempt) }
        #expect(server.requests.map { $0.headers["Cookie"] } == [nil, "b=1; a=1", "c=1; b=1; a=1"])
    }

    @Test func cookiesOfTheStorageCanBeReplacedOrLeftOut() async throws {
        server.on("/", .status(200, headers: ["Set-Cookie": "a=1; expires=Wed, 09\u{301} Jun 2100 10:18:14 GMT"]))
        let storage = URLSessionConfiguration.ephemeral.httpCookieStorage
        let bench = Bench { $0.httpCookieStorage = storage }
        for _ in 1...2 { _ = try await bench.data(server.url("/"), .singleAttempt) }
        var request = URLRequest(url: server.url("/"))
        request.setValue("b=2", forHTTPHeaderField: "Cookie")
        _ = try await bench.data(request, .singleAttempt)
        request = URLRequest(url: server.url("/"))
        request.httpShouldHandleCookies = false
        _ = try await bench.data(request, .singleAttempt)
        let other = Bench {
            $0.httpCookieStorage = storage
            $0.httpShouldSetCookies = false
        }
        _ = try await other.data(server.url("/"), .singleAttempt)
        #expect(server.requests.map { $0.headers["Cookie"] } == [nil, "a=1", "b=2", nil, nil])
    }

    @Test(arguments: [
        (HTTPCookie.AcceptPolicy.always, "http://x.example", true), (.never, "http://127.0.0.1", false),
        (.onlyFromMainDocumentDomain, "http://127.0.0.1", true),
        (.onlyFromMainDocumentDomain, "http://x.127.0.0.1", true),
        (.onlyFromMainDocumentDomain, "http://7.0.0.1", false),
        (.onlyFromMainDocumentDomain, "http://x127.0.0.1", false),
    ])
    func acceptPolicies(policy: HTTPCookie.AcceptPolicy, document: String, isAccepted: Bool) async throws {
        server.on("/", .status(200, headers: ["Set-Cookie": "a=1"]))
        let bench = Bench {
            $0.httpCookieStorage = URLSessionConfiguration.ephemeral.httpCookieStorage
            $0.httpCookieAcceptPolicy = policy
        }
        var request = URLRequest(url: server.url("/"))
        request.mainDocumentURL = URL(string: document)
        for _ in 1...2 { _ = try await bench.data(request, .singleAttempt) }
        #expect(server.requests.map { $0.headers["Cookie"] } == [nil, isAccepted ? "a=1" : nil])
    }

    // MARK: Bodies

    /// A part of a compressed body can't be decoded.
    @Test func aRangeIsNotCompressed() async throws {
        let bytes = Response(status: 206, headers: ["Content-Encoding": "gzip"], body: .bytes([31, 139, 8, 0]))
        server.on("/", bytes)
        var request = URLRequest(url: server.url("/"))
        request.setValue("bytes=0-3", forHTTPHeaderField: "Range")
        #expect(try await bench.data(request, .singleAttempt).data == Data([31, 139, 8, 0]))
        #expect(server.requests.last?.headers["Accept-Encoding"] == nil)
    }

    /// The request forbids it. The length proves that the file, which is stored as it arrives, is complete.
    @Test func aCompressedFileIsVerifiable() async throws {
        let file = Response(status: 200, headers: ["Content-Encoding": "gzip"], body: .generated(size: 1_000, seed: 1))
        server.on("/", file.cut(.close, after: 999), file)
        let events = Log<AttemptEvent>()
        let (url, _) = try await bench.session.trackedDownload(
            from: server.url("/"), policy: .standard.unhurried, manager: bench.manager
        ) { events.add($0) }
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(try Data(contentsOf: url).count == 1_000)
        #expect(server.requests.map { $0.headers["Accept-Encoding"] } == ["identity", "identity"])
        for event in events.entries {
            if case .receiving(_, let isVerifiable) = event { #expect(isVerifiable) }
            if case .progress(let progress) = event { #expect(progress.totalBytes == 1_000) }
        }
    }

    @Test(arguments: [3, 900_000]) func theBodyOfARedirect(arriving count: Int) async throws {
        var redirect = Response(status: 302, body: .generated(size: 900_000, seed: 1))
        redirect.headers["Location"] = "/x"
        server.on("/", count < 900_000 ? redirect.cut(.stall, after: count) : redirect)
        server.on("/x", .text("file"))
        let request = URLRequest("GET", server.url("/"), timeout: 3_600)
        #expect(try await bench.data(request, .singleAttempt).data == Data("file".utf8))
        #expect(server.acceptedConnectionCount == (count < 900_000 ? 2 : 1))
    }

    @Test func aFileThatBecomesShorter() async throws {
        let folder = try TemporaryFolder()
        try Data(count: 100).write(to: folder.url("x"))
        let body = try #require(try UploadBody.of(URLRequest(url: server.url("/")), .file(folder.url("x"))))
        var buffer = [UInt8](repeating: 1, count: 60)
        #expect(buffer.withUnsafeMutableBytes { body.read(0, $0) } == 60)
        #expect(truncate(folder.url("x").path, 60) == 0)
        #expect(buffer.withUnsafeMutableBytes { body.read(60, $0) } < 0)
    }

    // MARK: Connections

    /// Otherwise, a request that waits for its turn would time out and be sent again.
    @Test func waitingForAConnectionIsNotSilence() async throws {
        server.on("/", .silence)
        server.on("/other", .text("other"))
        let bench = Bench { $0.httpMaximumConnectionsPerHost = 1 }
        let (first, second, other) = (wire(bench), wire(bench), wire(bench))
        let (client, otherClient) = (Client(), Client())
        first.start(URLRequest(url: server.url("/")), .ofRequest, for: client)
        while server.hits("/") == 0 { await Task.yield() }
        second.start(URLRequest(url: server.url("/")), .ofRequest, for: client)
        // The engine processes the requests in order.
        let url = try #require(URL(string: "http://localhost:\(server.port)/other"))
        other.start(URLRequest(url: url), .ofRequest, for: otherClient)
        await otherClient.events.reached(1)
        #expect(otherClient.events.entries == ["end"] && server.hits("/") == 1)
        #expect(first.silence != nil && second.silence == nil)
        for wire in [first, second, other] { wire.cancel() }
    }

    @Test func aStartAfterACancellationHasNoEffect() async throws {
        server.on("/", .text("Hello"))
        let bench = Bench { $0.httpMaximumConnectionsPerHost = 1 }
        let (cancelled, other) = (wire(bench), wire(bench))
        let client = Client()
        cancelled.cancel()
        cancelled.start(URLRequest(url: server.url("/?cancelled")), .ofRequest, for: client)
        other.start(URLRequest(url: server.url("/")), .ofRequest, for: client)
        await client.events.reached(1)
        // Requests to one host are sent in order.
        #expect(server.requests.first?.target == "/")
        for wire in [cancelled, other] { wire.cancel() }
    }

    /// URLSession on Linux waits for the timeout.
    @Test func aPostOnAConnectionThatTheServerHasClosed() async throws {
        server.on("/", .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"))
        for _ in 1...20 {
            let request = URLRequest("POST", server.url("/"), body: "order")
            #expect(try await bench.data(request, .singleAttempt).data == Data("hi".utf8))
        }
    }

    @Test func theRestOfAnEarlierResponse() async throws {
        server.on("/", .text("first"), .text("second").preceded(by: "rest"), .text("third"))
        #expect(try await bench.data(server.url("/"), .standard.unhurried).data == Data("first".utf8))
        let error = await failure { try await bench.data(server.url("/"), .singleAttempt) } as? NetworkRequestError
        // Newer versions of libcurl report a status line that is invalid.
        #expect(error?.code == .badServerResponse || error?.code == .cannotParseResponse)
        #expect(try await bench.data(server.url("/"), .standard.unhurried).data == Data("third".utf8))
        #expect(server.acceptedConnectionCount == 2)
    }

    @Test func manyThreadsUseOneSession() async throws {
        server.on("/") { $0.hit == 1 ? .reset : .text("Hello") }
        let bench = Bench {
            $0.httpAdditionalHeaders = ["X-API-Key": "s3cret"]
            $0.timeoutIntervalForRequest = 700
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { _ = try? await bench.data(server.url("/"), .standard.unhurried) } }
        }
        #expect(server.requests.count { $0.headers["X-API-Key"] == "s3cret" } == 65)
        #expect(server.acceptedConnectionCount <= 7)
    }

    // MARK: Time

    @Test func aRedirectToASilentServer() async throws {
        server.on("/", .redirect(to: "/x"))
        server.on("/x", .silence)
        let session = URLSession(configuration: .ephemeral, delegate: Delegate(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let error = await failure {
            let request = URLRequest("GET", server.url("/"), timeout: 1)
            return try await session.trackedData(for: request, policy: .singleAttempt, manager: bench.manager)
        }
        let typed = error as? NetworkRequestError
        #expect(typed?.code == .timedOut && typed?.url == server.url("/"))
    }

    @Test func aDeadlineBeforeTheRequest() async throws {
        server.on("/", .silence)
        let bench = Bench { $0.timeoutIntervalForResource = 1e-9 }
        for _ in 0..<20 {
            let error = await failure { try await bench.data(URLRequest("GET", server.url("/")), .standard) }
            #expect((error as? NetworkRequestError)?.code == .timedOut)
        }
    }
}
#endif
