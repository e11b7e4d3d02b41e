import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorURLSession
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.serialized, .timeLimit(.minutes(10)))
struct DownloadTests {
    let bench = Bench()
    static let size = 300_000
    let file = Response.generated(size: size, seed: 1)
    let whole = Body.generated(size: size, seed: 1).bytes(in: 0..<size)

    /// Downloads a file, reads it, and deletes it.
    private func download(
        _ request: URLRequest, _ policy: TrackedRetryPolicy = .standard.unhurried
    ) async throws -> (bytes: [UInt8], response: HTTPURLResponse) {
        let (url, response) = try await bench.session.trackedDownload(
            for: request, policy: policy, manager: bench.manager, onEvent: bench.onEvent)
        defer { try? FileManager.default.removeItem(at: url) }
        return (Array(try Data(contentsOf: url)), try #require(response as? HTTPURLResponse))
    }

    private func download(_ url: URL) async throws -> (bytes: [UInt8], response: HTTPURLResponse) {
        try await download(URLRequest("GET", url))
    }

    /// Returns the range and the condition of each request.
    private func ranges(_ server: LoopbackServer) -> [[String?]] {
        server.requests("/").map { [$0.headers["Range"], $0.headers["If-Range"]] }
    }

    @Test func aWholeFile() async throws {
        let server = try LoopbackServer()
        server.on("/", file)
        let result = try await download(server.url("/"))
        #expect(result.bytes == whole)
        #expect(result.response.statusCode == 200)
        #expect(bench.events.entries == [.started(1), .finished])
        #expect(!bench.manager.hasActiveTasks)
    }

    @Test func anEmptyFile() async throws {
        let server = try LoopbackServer()
        server.on("/", .bytes([]))
        #expect(try await download(server.url("/")).bytes == [])
    }

    @Test func aRedirectedFile() async throws {
        let server = try LoopbackServer()
        server.on("/", .redirect(to: "/file"))
        server.on("/file", file)
        let result = try await download(server.url("/"))
        #expect(result.bytes == whole)
        #expect(result.response.url == server.url("/file"))
        #expect(bench.notifications.entries.map(\.isStart) == [true, false])
    }

    /// On Linux, the delegate receives neither such a response nor its body.
    @Test func aRedirectThatLeadsNowhereIsTheResponse() async throws {
        let server = try LoopbackServer()
        server.on("/", Response(status: 302, body: .bytes(Array("gone".utf8))))
        let result = try await download(server.url("/"))
        #expect(result.response.statusCode == 302)
        #expect(try await bench.data(server.url("/"), .never).status == 302)
        #expect(server.hits("/") == 2)
    }

    /// A full disk ends the download before its last byte.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func aFileThatCannotBeWrittenEndsTheDownload() async throws {
        let server = try LoopbackServer()
        server.on("/", .generated(size: 1 << 40).cut(.stall, after: 2_000_000))
        let folder = try TemporaryFolder()
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        var options = DownloadOptions()
        options.stream = full
        let error = await failure {
            try await bench.session.trackedDownload(
                for: URLRequest("GET", server.url("/"), timeout: 3_600), to: folder.url("x"), options: options,
                manager: bench.manager)
        }
        guard case .file(.write, _, code: .ENOSPC) = error as? DownloadError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.localizedDescription == "Cannot write \(folder.url("x").path): No space left on device.")
    }

    @Test func nameAndPasswordAreNotShown() async throws {
        let url = try #require(URL(string: "http://me:secret@127.0.0.1:1/x?y#z"))
        #expect(url.withoutCredentials == "http://127.0.0.1:1/x?y#z")
        #expect(URL(string: "http://h/a%20b")?.withoutCredentials == "http://h/a%20b")
        let labels = Lock<[String?]>([])
        let error = await failure {
            try await bench.session.trackedDownload(from: url, policy: .never, manager: bench.manager) {
                [bench] event in
                if case .started = event { labels.withLock { $0 = bench.manager.activeTasks.map(\.label) } }
            }
        }
        #expect(labels.withLock { $0 } == ["GET http://127.0.0.1:1/x"])
        #expect((error as? NetworkRequestError)?.description.hasPrefix("http://127.0.0.1:1/x?y#z: ") == true)
    }

    @Test func theTaskNamesItsLabelAndTheCallersLine() async throws {
        let server = try LoopbackServer()
        server.on("/", .reset, file)
        let tasks = Log<[String]>()
        let line: UInt = #line + 1
        let (url, _) = try await bench.session.trackedDownload(
            for: URLRequest("GET", server.url("/")), policy: .standard.unhurried, manager: bench.manager, label: "L"
        ) { [bench] event in
            guard Event(event) != nil else { return }
            tasks.add(bench.manager.activeTasks.map { "\($0.label ?? "") \($0.fileID):\($0.line)" })
        }
        try FileManager.default.removeItem(at: url)
        let task = "L NetworkIndicatorTransfersTests/DownloadTests.swift:\(line)"
        #expect(tasks.entries == [[task], [], [task], []])
    }

    @Test func aBrokenDownloadContinues() async throws {
        let server = try LoopbackServer()
        let ranged = file.ranged(entityTag: "\"v1\"")
        server.on("/", ranged.cut(.close, after: 100_000), ranged.cut(.close, after: 50_000), ranged)
        let result = try await download(server.url("/"))
        #expect(result.bytes == whole)
        // The response is that of the whole file, not that of the last part.
        #expect(result.response.statusCode == 200)
        #expect(result.response.value(forHTTPHeaderField: "Content-Length") == "\(Self.size)")
        #expect(
            ranges(server) == [
                [nil, nil], ["bytes=100000-", "\"v1\""], ["bytes=150000-", "\"v1\""],
            ])
    }

    @Test func aChangedFileStartsOver() async throws {
        let server = try LoopbackServer()
        let other = Response.generated(size: Self.size, seed: 2)
        server.on(
            "/", other.ranged(entityTag: "\"v1\"").cut(.close, after: 100_000), file.ranged(entityTag: "\"v2\""))
        let result = try await download(server.url("/"))
        #expect(result.bytes == whole)
        #expect(result.response.value(forHTTPHeaderField: "ETag") == "\"v2\"")
        #expect(ranges(server)[1] == ["bytes=100000-", "\"v1\""])
    }

    @Test(arguments: ["no tag", "weak tag", "no ranges", "compressed"])
    func unsafePartsStartOver(why: String) async throws {
        let server = try LoopbackServer()
        var response = file
        response.headers["Accept-Ranges"] = why == "no ranges" ? "none" : "bytes"
        if why != "no tag" { response.headers["ETag"] = why == "weak tag" ? "W/\"v1\"" : "\"v1\"" }
        if why == "compressed" { response.headers["Content-Encoding"] = "br" }
        server.on("/", response.cut(.close, after: 100_000), response)
        if why == "compressed" {
            // No library here can decompress the body, so only the request is checked.
            _ = try? await download(server.url("/"))
        } else {
            #expect(try await download(server.url("/")).bytes == whole)
        }
        #expect(ranges(server).allSatisfy { $0 == [nil, nil] })
        #expect(server.hits("/") >= 2)
    }

    /// These servers send wrong ranges. The second response must not be appended to the first.
    @Test(arguments: [
        "bytes 99999-299999/300000", "bytes 100000-199999/300000", "bytes 100000-299999/300001", "bytes */300000",
        "nonsense", "other tag", "416",
    ])
    func aWrongRangeStartsOver(contentRange: String) async throws {
        let server = try LoopbackServer()
        let ranged = file.ranged(entityTag: "\"v1\"")
        let whole = whole
        server.on("/") { [file] request in
            switch request.hit {
            case 1: return ranged.cut(.close, after: 100_000)
            case 2 where contentRange == "416": return .status(416)
            case 2:
                var response = Response(status: 206, body: .bytes(Array(whole[100_000...])))
                response.headers["Content-Range"] =
                    contentRange == "other tag" ? "bytes 100000-299999/300000" : contentRange
                response.headers["ETag"] = contentRange == "other tag" ? "\"v2\"" : "\"v1\""
                return response
            default: return file
            }
        }
        #expect(try await download(server.url("/")).bytes == whole)
        #expect(ranges(server).map { $0[0] } == [nil, "bytes=100000-", nil])
    }

    /// The range is right, but has too few bytes. The length of the file is known or unknown.
    @Test(arguments: [false, true]) func aShortRangeIsNoSuccess(isChunked: Bool) async throws {
        let server = try LoopbackServer()
        let ranged = isChunked ? file.ranged(entityTag: "\"v1\"").chunked() : file.ranged(entityTag: "\"v1\"")
        let whole = whole
        server.on("/") { request in
            guard request.hit == 2 else { return request.hit == 1 ? ranged.cut(.close, after: 100_000) : ranged }
            var response = Response(status: 206, body: .bytes(Array(whole[100_000..<200_000])))
            response.headers["Content-Range"] = "bytes 100000-299999/300000"
            response.headers["ETag"] = "\"v1\""
            return response.untilClose()
        }
        #expect(try await download(server.url("/")).bytes == whole)
        #expect(server.hits("/") == 3)
    }

    @Test func anErrorBetweenAttemptsKeepsThePart() async throws {
        let server = try LoopbackServer()
        let ranged = file.ranged(entityTag: "\"v1\"")
        server.on("/", ranged.cut(.close, after: 100_000), .status(503), ranged)
        let result = try await download(
            URLRequest("GET", server.url("/")), .retryingServerErrors.unhurried)
        #expect(result.bytes == whole)
        #expect(ranges(server).map { $0[0] } == [nil, "bytes=100000-", "bytes=100000-"])
    }

    @Test func aRangeOfTheCallerIsNotChanged() async throws {
        let server = try LoopbackServer()
        let ranged = file.ranged(entityTag: "\"v1\"")
        server.on("/", ranged.cut(.close, after: 100), ranged)
        var request = URLRequest("GET", server.url("/"))
        request.setValue("bytes=1000-1999", forHTTPHeaderField: "Range")
        let result = try await download(request)
        #expect(result.bytes == Array(whole[1_000..<2_000]))
        #expect(result.response.statusCode == 206)
        #expect(ranges(server) == [["bytes=1000-1999", nil], ["bytes=1000-1999", nil]])
    }

    @Test func anErrorStatusIsReturnedWithItsBody() async throws {
        let server = try LoopbackServer()
        let result = try await download(server.url("/missing"))
        #expect(result.response.statusCode == 404)
        #expect(!result.bytes.isEmpty)
    }

    @Test func aDownloadThatAlwaysFails() async throws {
        let server = try LoopbackServer()
        server.on("/", file.cut(.reset, after: 100_000))
        let error = await failure { try await download(server.url("/")) } as? NetworkRequestError
        #expect(error?.attempts == 3)
        #expect(error?.url == server.url("/"))
    }

    @Test func theSessionsHeadersAreSent() async throws {
        let server = try LoopbackServer()
        server.on("/", file)
        let bench = Bench { $0.httpAdditionalHeaders = ["X-Test": "1"] }
        let (url, _) = try await bench.session.trackedDownload(from: server.url("/"), manager: bench.manager)
        try FileManager.default.removeItem(at: url)
        #expect(server.requests("/").first?.headers["X-Test"] == "1")
    }

    @Test func theSessionsDelegateDecidesAboutRedirects() async throws {
        let server = try LoopbackServer()
        server.on("/", .redirect(to: "/file"))
        server.on("/file", file)
        let delegate = RefusesRedirects()
        let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let (url, response) = try await session.trackedDownload(from: server.url("/"), manager: bench.manager)
        try FileManager.default.removeItem(at: url)
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
        #expect(server.hits("/file") == 0)
    }

    /// Sequential downloads use one connection, like those of one session.
    @Test func connectionsAreReused() async throws {
        let server = try LoopbackServer()
        server.on("/", file)
        for _ in 1...5 { #expect(try await download(server.url("/")).bytes == whole) }
        #expect(server.acceptedConnectionCount == 1)
    }
}

private final class RefusesRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
