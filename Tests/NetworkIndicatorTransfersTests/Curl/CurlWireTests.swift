#if canImport(FoundationNetworking)
import CLibcurl
import Foundation
import FoundationNetworking
import LoopbackServer
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.serialized, .timeLimit(.minutes(10)))
struct CurlWireTests {
    private final class Client: WireClient {
        let events = Log<String>()
        var receivesFile: Bool { false }

        func receive(_ event: WireEvent) {
            if case .completed(_, let error) = event { events.add(error.map { "\($0)" } ?? "end") }
        }
    }

    private let bench = Bench()
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func wire(_ bench: Bench) -> any Wire { makeWire(for: URLRequest(url: server.url("/")), in: bench.session) }

    private func response(_ text: String) async throws -> (Data, HTTPURLResponse) {
        server.on("/", .raw(text))
        let (data, response) = try await bench.session.trackedData(
            for: URLRequest("GET", server.url("/")), policy: .singleAttempt, manager: bench.manager)
        return (data, try #require(response as? HTTPURLResponse))
    }

    // MARK: Heads

    /// URLSession on Linux traps if a response has trailers.
    @Test func trailersAreNotHeaders() async throws {
        let (data, response) = try await response(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n0\r\nETag: \"1\"\r\nX: y\r\n\r\n")
        #expect(data == Data("Hello".utf8) && response.statusCode == 200)
        #expect(response.value(forHTTPHeaderField: "ETag") == nil)
    }

    @Test func onlyTheFinalHeadCounts() async throws {
        let (data, response) = try await response(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nETag: \"1\"\r\n\r\nHTTP/1.0 201 Yes\r\nX: 1\r\n\r\nHello"
        )
        #expect(data == Data("Hello".utf8) && response.statusCode == 201)
        #expect(response.value(forHTTPHeaderField: "ETag") == nil && response.value(forHTTPHeaderField: "x") == "1")
    }

    /// URLSession on Linux traps, also if the length doesn't fit.
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nX", "HTTP/1.1 200 OK\r\nX: 1\r\n", "HTTP/1.1 103 Early\r\n\r\n"])
    func aConnectionThatEndsWithinTheHead(text: String) async throws {
        let error = await failure { try await response(text) } as? NetworkRequestError
        #expect(error?.code == .networkConnectionLost)
    }

    @Test(arguments: [Int64.max, Int64.max - 1, Int64.max - 512, 1 << 62] as [Int64]) func aVeryLongBody(length: Int64)
        async throws
    {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nHello"
        let error = await failure { try await response(text) } as? NetworkRequestError
        #expect(error?.code == .networkConnectionLost)
    }

    @Test func unusualHeaders() throws {
        var head = ResponseHead()
        let lines = [
            "HTTP/2 200 \r\n", "X-A: 1\r\n", ": no name\r\n", "no colon\r\n", "x-a:2\n", "X-Long: 1\r\n", " \t2 \r\n",
        ]
        for line in lines.map({ Array($0.utf8) }) + [Array("X-Latin: ".utf8) + [0xE9]] {
            #expect(line.withUnsafeBytes { head.append($0) } == .incomplete)
        }
        #expect(Array("\r\n".utf8).withUnsafeBytes { head.append($0) } == .complete)
        let response = try #require(head.response(to: URLRequest(url: server.url("/")), status: 200))
        let values = ["X-A", "X-Long", "X-Latin"].map { response.value(forHTTPHeaderField: $0) }
        #expect(values == ["1, 2", "1 2", "\u{E9}"] && response.allHeaderFields.count == 3)
        let long = [UInt8](repeating: 65, count: ResponseHead.maximumLength)
        #expect(long.withUnsafeBytes { head.append($0) } == .tooLong)
    }

    /// libcurl ends the head after 300 kB if its version is recent.
    @Test(arguments: [0, 20]) func manyInformationalResponses(interval: Int) async throws {
        let early = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"
        server.on("/", .text("late").preceded(by: early, count: 1_000_000, every: .milliseconds(interval)))
        let request = URLRequest("GET", server.url("/"), timeout: 1)
        let error = await failure { try await bench.data(request, .singleAttempt) } as? NetworkRequestError
        #expect(error?.code == .timedOut || error?.code == .cannotParseResponse && interval == 0, "\(error!)")
    }

    /// Otherwise, the trailers would fill the memory.
    @Test func trailersWithoutAnEnd() async throws {
        let line = String(repeating: "X", count: 1_000) + ": 1\r\n"
        let end = Response.text("").preceded(
            by: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + String(repeating: line, count: 2_000))
        server.on("/", end)
        let error = await failure { try await bench.data(server.url("/"), .singleAttempt) } as? NetworkRequestError
        #expect(error?.code == .cannotParseResponse)
    }

    @Test func headersOfARequest() async throws {
        server.on("/", .text("Hello"))
        var request = URLRequest(url: server.url("/"))
        for (name, value) in [("X-Empty", ""), ("X-Lines", "1\r\nX-Injected: 1"), ("User-Agent", "me")] {
            request.setValue(value, forHTTPHeaderField: name)
        }
        _ = try await bench.data(request, .singleAttempt)
        let headers = try #require(server.requests.last?.headers)
        #expect(headers["X-Empty"] == "" && headers["User-Agent"] == "me" && headers["Expect"] == nil)
        #expect(headers["X-Injected"] == nil && headers["Accept-Encoding"]?.contains("gzip") == true)
    }

    @Test func cookies() async throws {
        server.on("/", .status(302, headers: ["Location": "/x", "Set-Cookie": "a=1; path=/"]))
        server.on("/x", .status(200, headers: ["Set-Cookie": "b=2; expires=Wed, 09\u{301} Jun 2100 10:18:14 GMT"]))
        let storage = URLSessionConfiguration.ephemeral.httpCookieStorage
        let bench = Bench { $0.httpCookieStorage = storage }
        _ = try await bench.data(server.url("/"), .singleAttempt)
        #expect(server.requests.map { $0.headers["Cookie"] } == [nil, "a=1"])
        let other = Bench {
            $0.httpCookieStorage = storage
            $0.httpShouldSetCookies = false
        }
        _ = try await other.data(server.url("/x"), .singleAttempt)
        #expect(server.requests.last?.headers["Cookie"] == nil)
    }

    /// Foundation stores and returns these cookies, too.
    @Test(arguments: [
        "a=1; path=/other", "a=1; path=/; secure", "a=1; path=/; max-age=0", "a=1; path=/; domain=0.0.1",
        "a=1; path=/; domain=1",
    ])
    func cookiesThatDoNotApply(value: String) async throws {
        server.on("/", .status(200, headers: ["Set-Cookie": value]))
        server.on("/other-x", .status(200))
        let bench = Bench { $0.httpCookieStorage = URLSessionConfiguration.ephemeral.httpCookieStorage }
        _ = try await bench.data(server.url("/"), .singleAttempt)
        _ = try await bench.data(server.url("/other-x"), .singleAttempt)
        #expect(server.requests.map { $0.headers["Cookie"] } == [nil, nil])
    }

    // MARK: Bodies

    @Test func downloadsAreNotCompressed() async throws {
        server.on("/") { request in
            var response = Response.generated(size: 1_000)
            if request.headers["Accept-Encoding"]?.contains("gzip") == true {
                response.headers["Content-Encoding"] = "gzip"
            }
            return response
        }
        let totals = Log<Int64?>()
        let (url, _) = try await bench.session.trackedDownload(
            from: server.url("/"), manager: bench.manager
        ) { event in
            if case .progress(let progress) = event { totals.add(progress.totalBytes) }
        }
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(server.requests.last?.headers["Accept-Encoding"] == "identity")
        #expect(try Data(contentsOf: url).count == 1_000 && totals.entries.allSatisfy { $0 == 1_000 })
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
        #expect(first.silence > .zero && second.silence == .zero)
        for wire in [first, second, other] { wire.cancel() }
    }

    /// After a timeout, further connections would exceed the limit for each host.
    @Test func onlyConnectionsWithTLSAreRetired() async throws {
        server.on("/", .text("Hello"))
        for scheme in ["http", "https"] {
            let (wire, count) = (wire(bench), server.acceptedConnectionCount)
            let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(server.port)/"))
            wire.start(URLRequest(url: url), .ofRequest, for: Client())
            while server.acceptedConnectionCount == count { await Task.yield() }
            wire.retire()
            if scheme == "http" { while !wire.hasReceived { await Task.yield() } }
            wire.cancel()
            _ = try await bench.data(server.url("/"), .singleAttempt)
        }
        // The first engine used one connection for two requests and one for TLS.
        #expect(server.acceptedConnectionCount == 3)
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
        #expect(error?.underlyingError.localizedDescription == "the response has no status line")
        #expect(try await bench.data(server.url("/"), .standard.unhurried).data == Data("third".utf8))
        #expect(server.acceptedConnectionCount == 2)
    }

    /// Otherwise, the connections of deallocated sessions could exhaust the file descriptors.
    @Test func anEngineEndsAfterItsSession() async throws {
        server.on("/", .text("Hello"))
        for _ in 1...20 {
            let session = URLSession(configuration: .ephemeral)
            _ = try await session.trackedData(from: server.url("/"), manager: bench.manager)
        }
        await server.connectionsEnded()
        #expect(server.acceptedConnectionCount == 20)
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

    // MARK: Failures

    @Test(arguments: [
        (CurlFailure(code: 60, text: "x", certificateError: 10), URLError.Code.serverCertificateHasBadDate),
        (CurlFailure(code: 60, text: "x", certificateError: 9), .serverCertificateNotYetValid),
        (CurlFailure(code: 60, text: "x", certificateError: 18), .serverCertificateUntrusted),
        (CurlFailure(code: 35, text: "x", systemError: ECONNRESET), .networkConnectionLost),
        (CurlFailure(code: 35, text: "x"), .secureConnectionFailed), (CurlFailure(code: 6, text: "x"), .cannotFindHost),
        (CurlFailure(code: 56, text: "x", connectStatus: 407), .userAuthenticationRequired),
        (CurlFailure(code: 56, text: "x", connectStatus: 503), .cannotConnectToHost),
        (CurlFailure(code: 56, text: "x", connectStatus: 404), .resourceUnavailable),
        (CurlFailure(code: 56, text: "x", connectStatus: 404, hasResponse: true), .networkConnectionLost),
        (
            CurlFailure(code: 56, text: "Illegal or missing hexadecimal sequence in chunked-encoding"),
            .cannotParseResponse
        ),
        (CurlFailure(code: 27, text: "x"), .cannotParseResponse), (CurlFailure(code: 999, text: "x"), .unknown),
    ])
    func codes(failure: CurlFailure, code: URLError.Code) {
        let error = failure.error(server.url("/"))
        #expect(error.code == code && error.userInfo[NSURLErrorFailingURLErrorKey] as? URL == server.url("/"))
        #expect(!error.localizedDescription.isEmpty)
    }
}
#endif
