#if canImport(FoundationNetworking)
import Foundation
import LoopbackServer
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.serialized, .timeLimit(.minutes(10)))
struct ResponseHeadTests {
    private let bench = Bench()
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func response(_ text: String) async throws -> (Data, HTTPURLResponse) {
        server.on("/", .raw(text))
        let (data, response) = try await bench.session.trackedData(
            for: URLRequest("GET", server.url("/")), policy: .singleAttempt, manager: bench.manager)
        return (data, try #require(response as? HTTPURLResponse))
    }

    /// URLSession on Linux traps if a response has trailers.
    @Test func trailersAreNotHeaders() async throws {
        let (data, response) = try await response(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n0\r\nETag: \"1\"\r\nX: y\r\n\r\n")
        #expect(data == Data("Hello".utf8) && response.statusCode == 200)
        #expect(response.value(forHTTPHeaderField: "ETag") == nil)
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

    private func head(_ lines: [String]) throws -> HTTPURLResponse? {
        var head = ResponseHead()
        for line in lines {
            #expect(try Array(line.utf8).withUnsafeBytes { try head.append($0) } == (line == "\r\n"))
        }
        return head.response(to: URLRequest(url: server.url("/")), status: 200)
    }

    @Test func unusualHeaders() throws {
        let lines = [
            "HTTP/2 200 \r\n", "X-A: 1\r\n", ": no name\r\n", "no colon\r\n", "x-a:2\n", "X-Long: 1\r\n", " \t2 \r\n",
            "\r\n",
        ]
        let response = try #require(try head(lines))
        #expect(["X-A", "X-Long"].map { response.value(forHTTPHeaderField: $0) } == ["1, 2", "1 2"])
        #expect(response.allHeaderFields.count == 2)
        #expect(throws: URLError.self) { try head([String(repeating: "A", count: ResponseHead.maximumLength + 1)]) }
    }

    @Test func latinHeaders() throws {
        var head = ResponseHead()
        for line in ["X: ", "Location: /"].map({ Array($0.utf8) + [0xE9, 0x20] }) {
            _ = try line.withUnsafeBytes { try head.append($0) }
        }
        let response = try #require(head.response(to: URLRequest(url: server.url("/")), status: 200))
        #expect(response.value(forHTTPHeaderField: "X") == "\u{E9}")
        #expect(response.value(forHTTPHeaderField: "Location") == "/%E9")
    }

    /// Some servers and proxies repeat headers that aren't lists.
    @Test func equalHeadersCountOnce() throws {
        let names = [
            "Retry-After", "Date", "ETag", "Last-Modified", "Content-Range", "Content-Length", "Location", "X",
            "Set-Cookie",
        ]
        let lines = names.flatMap { ["\($0): 2\r\n", "\($0.lowercased()):2\r\n"] }
        let response = try #require(try head(["HTTP/1.1 200 OK\r\n"] + lines))
        let values = names.map { response.value(forHTTPHeaderField: $0) }
        #expect(values == Array(repeating: "2", count: 7) + Array(repeating: "2, 2", count: 2))
        #expect(try head(["ETag: 1\r\n", "ETag: 2\r\n"])?.value(forHTTPHeaderField: "ETag") == "1, 2")
    }

    /// Older versions of libcurl ignore these headers, so the file would contain the sizes of chunks, or wouldn't be
    /// decoded.
    @Test(arguments: [
        "Transfer-Encoding : chunked", "Transfer-Encoding\t: chunked", "Transfer-Encoding:\r\n chunked",
        "Transfer-Encoding: x,\r\n\tchunked", " Transfer-Encoding: chunked", "Content-Encoding:\r\n gzip",
    ])
    func headersThatOthersReadDifferently(text: String) async throws {
        do {
            let text = "HTTP/1.1 200 OK\r\n\(text)\r\n\r\n5\r\nHello\r\n0\r\n\r\n"
            #expect(try await response(text).0 == Data("Hello".utf8))
        } catch let error as NetworkRequestError {
            #expect([.cannotParseResponse, .cannotDecodeContentData].contains(error.code), "\(error)")
        }
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
}
#endif
