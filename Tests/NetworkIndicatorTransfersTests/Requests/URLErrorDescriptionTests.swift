import Foundation
import LoopbackServer
import NetworkIndicator
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.serialized, .timeLimit(.minutes(10)))
struct URLErrorDescriptionTests {
    let bench = Bench()

    private func error(_ url: URL, timeout: TimeInterval = 240) async throws -> String {
        let error = await failure {
            try await bench.data(URLRequest("GET", url, timeout: timeout), .singleAttempt)
        }
        let typed = try #require(error as? NetworkRequestError)
        #expect(typed.attemptCount == 1)
        return typed.underlyingError.localizedDescription
    }

    @Test(arguments: [
        ("http://127.0.0.1:65536/", "65536 is not a port number"), ("http://127.0.0.1:0/", "0 is not a port number"),
        ("ws://127.0.0.1/", "ws needs a WebSocket task"), ("http:///x", "the URL has no host"),
        ("not-a-url", "the URL must begin with"), ("localhost:8765/x", "the URL must begin with"),
        ("localhost:8765", "the URL must begin with"), ("nonsense://h/", "nonsense"), ("ftp://h/", "ftp"),
    ])
    func aURLThatCannotWork(url: String, text: String) async throws {
        #expect(try await error(#require(URL(string: url))).contains(text))
    }

    #if canImport(FoundationNetworking)
    @Test(
        arguments: [
            (["Content-Length": "5, 10"], "hi", URLError.Code.cannotParseResponse),
            (["Content-Encoding": "x"], "hi", .cannotDecodeContentData),
            (["Content-Encoding": "gzip"], "hi", .cannotDecodeContentData),
            (["Content-Encoding": "zstd"], "not zstd", .cannotDecodeContentData),
            (["Content-Encoding": "zstd", "Transfer-Encoding": "chunked"], "5\r\nhello\r\n", .cannotDecodeContentData),
            (["Content-Encoding": "gzip"], "H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAGFiY2Q=", .cannotDecodeContentData),
        ] as [(HTTPHeaders, String, URLError.Code)])
    func aResponseThatCannotBeRead(headers: HTTPHeaders, body: String, code: URLError.Code) async throws {
        let server = try LoopbackServer()
        let bytes = Array(Data(base64Encoded: body) ?? Data(body.utf8))
        server.on("/", Response(status: 200, headers: headers, body: .bytes(bytes)).untilClose())
        let error = await failure { try await bench.data(server.url("/"), .standard.unhurried) }
        let typed = try #require(error as? NetworkRequestError)
        #expect(typed.code == code && typed.attemptCount == 1)
    }
    #endif

    @Test func aBodyThatStalls() async throws {
        let server = try LoopbackServer()
        server.on("/", .generated(size: 100).cut(.stall, after: 10))
        // On a busy machine, even the response's head may take longer than the timeout of 1 s.
        var text = ""
        for _ in 1...20 where text.isEmpty || text.hasPrefix("no complete response") {
            text = try await error(server.url("/"), timeout: 1)
        }
        #expect(text == "nothing more arrived for 1 s, after 10 of 100 B")
    }

    @Test func descriptionsInTheUsersLanguage() throws {
        let url = try #require(URL(string: "file:///container/x"))
        let system = URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "Zeitüberschreitung"])
        for isLocalized in [true, false] {
            let reason = URLError(.timedOut, reason: "late", url: nil, underlying: system, isLocalized: isLocalized)
            let error = NetworkRequestError(underlyingError: reason, attemptCount: 2, url: nil)
            #expect(error.description == "late (after 2 attempts)")
            let expected = isLocalized ? system.localizedDescription : error.description
            #expect(error.errorDescription(isLocalized: isLocalized) == expected)
        }
        for error in [
            DownloadError.file(.create, url: url, code: .EACCES),
            .notMoved(url: url, destination: url, code: .EACCES), .file(.create, url: url, code: .EMLINK),
            .tooLarge(limit: 7),
        ] {
            #expect(error.errorDescription(isLocalized: false) == error.description)
            let text = error.errorDescription(isLocalized: true)
            #expect(text != error.description && !text.contains("container"))
        }
    }

    @Test func anErrorOfTheSystem() throws {
        let original = NSError(domain: NSPOSIXErrorDomain, code: Int(ECONNABORTED))
        let error = try #require(URLError(reported: original)?.described(received: nil, timeout: 60, url: nil))
        #expect(error.code == .networkConnectionLost)
        #expect(error.localizedDescription.contains("the connection was lost before a response"))
        var innermost: any Error = error
        while let underlying = (innermost as NSError).userInfo[NSUnderlyingErrorKey] as? any Error {
            innermost = underlying
        }
        #expect(innermost as NSError == original)
    }
}
