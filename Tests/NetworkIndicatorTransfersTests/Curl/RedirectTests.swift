import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
@Suite(.serialized, .timeLimit(.minutes(10)))
struct RedirectTests {
    private let bench = Bench()
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test func credentialsOfTheConfigurationStayWithTheirOrigin() async throws {
        let other = try LoopbackServer()
        server.on("/", .redirect(to: other.url("/x").absoluteString))
        let bench = Bench { $0.httpAdditionalHeaders = ["authorization": "s3cret", "X-Other": "1"] }
        var request = URLRequest("GET", server.url("/"))
        request.setValue("s3cret", forHTTPHeaderField: "Cookie")
        _ = try await bench.data(request, .singleAttempt)
        for name in ["Authorization", "Cookie"] {
            #expect(server.requests.last?.headers[name] == "s3cret" && other.requests.last?.headers[name] == nil)
        }
        #expect(other.requests.last?.headers["X-Other"] == "1")
    }

    @Test func moreThanTwentyRedirectsFail() async throws {
        server.on("/") { .redirect(to: "/?\($0.hit)") }
        let error = await failure { try await bench.data(server.url("/"), .standard) } as? NetworkRequestError
        #expect(error?.code == .httpTooManyRedirects)
        #expect(server.hits("/") == 21)
    }

    /// After the refusal of a part of another version, the attempt requests the whole file.
    @Test func eachRequestOfAnAttemptMayBeRedirectedTwentyTimes() async throws {
        server.on("/") { .redirect(to: $0.hit.isMultiple(of: 11) ? "/file" : "/?\($0.hit)") }
        let file = Response.generated(size: 100_000).ranged(entityTag: "\"1\"")
        server.on("/file", file.cut(.close, after: 50_000), Response(status: 206), file)
        let (url, _) = try await bench.session.trackedDownload(
            from: server.url("/"), policy: .standard.unhurried, manager: bench.manager)
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(try Data(contentsOf: url).count == 100_000 && server.hits("/file") == 3)
    }

    @Test(arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"), (301, "PUT", "PUT"),
        (302, "PUT", "PUT"), (303, "GET", "GET"), (307, "POST", "POST"), (308, "PUT", "PUT"),
    ])
    func methodsAndBodiesOfRedirects(status: Int, method: String, expected: String) async throws {
        server.on("/", .redirect(to: "/x", status: status))
        server.on("/x") { .bytes($0.body) }
        var request = URLRequest(method, server.url("/"))
        request.setValue("text/x", forHTTPHeaderField: "Content-Type")
        let folder = try TemporaryFolder()
        try Data("body".utf8).write(to: folder.url("x"))
        let (uploaded, _) = try await bench.session.trackedUpload(
            for: request, fromFile: folder.url("x"), policy: .singleAttempt, manager: bench.manager)
        request.httpBody = Data("body".utf8)
        let (loaded, _) = try await bench.session.trackedData(
            for: request, policy: .singleAttempt, manager: bench.manager)
        let body = expected == "GET" ? "" : "body"
        #expect(uploaded == Data(body.utf8) && loaded == Data(body.utf8))
        #expect(server.requests("/x").map(\.method) == [expected, expected])
        #expect(server.requests("/x").allSatisfy { ($0.headers["Content-Type"] == "text/x") == (expected != "GET") })
    }

    @Test(arguments: [(307, "body"), (303, "")]) func aBodyStream(status: Int, expected: String) async throws {
        server.on("/", .redirect(to: "/x", status: status))
        server.on("/x") { .bytes($0.body) }
        var request = URLRequest("POST", server.url("/"))
        request.httpBodyStream = InputStream(data: Data("body".utf8))
        #expect(try await bench.data(request, .standard).data == Data(expected.utf8))
        #expect(server.requests("/").map(\.body) == [Array("body".utf8)])
    }

    @Test(arguments: [false, true]) func aRedirectWhoseBodyNeverEnds(isSlow: Bool) async throws {
        var response = Response(status: 307, body: .generated(size: 1 << 40, seed: 1))
        response.headers["Location"] = "/x"
        server.on("/", isSlow ? response.dripping(100, every: .milliseconds(10)) : response.chunked())
        server.on("/x") { .bytes($0.body) }
        #expect(
            try await bench.data(URLRequest("PUT", server.url("/"), body: "x"), .singleAttempt).data == Data("x".utf8))

        // If the session's delegate refuses the redirect, the call returns the response without its body.
        let session = URLSession(configuration: .ephemeral, delegate: Delegate { $1(nil) }, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let (data, refused) = try await session.trackedData(from: server.url("/"), manager: bench.manager)
        #expect(data.isEmpty && (refused as? HTTPURLResponse)?.statusCode == 307)
        #expect(server.hits("/x") == 1)
    }

    /// Their responses have no body, whatever length they announce.
    @Test func redirectsOfHeadRequestsKeepTheirConnection() async throws {
        server.on("/") { $0.hit < 5 ? .redirect(to: "/") : .text("Hello") }
        #expect(try await bench.data(URLRequest("HEAD", server.url("/")), .singleAttempt).status == 200)
        #expect(server.hits("/") == 5 && server.acceptedConnectionCount == 1)
    }

    @Test(arguments: [("/x", true), ("/y", false)]) func twoLocations(other: String, isFollowed: Bool) async throws {
        server.on("/", .raw("HTTP/1.1 302 Found\r\nLocation: /x\r\nlocation: \(other)\r\nContent-Length: 0\r\n\r\n"))
        server.on("/x", .text("file"))
        if isFollowed {
            #expect(try await bench.data(server.url("/"), .singleAttempt).data == Data("file".utf8))
        } else {
            let error = await failure { try await bench.data(server.url("/"), .standard) } as? NetworkRequestError
            // Newer versions of libcurl themselves refuse the response.
            #expect([.badServerResponse, .cannotParseResponse].contains(error?.code), "\(String(describing: error))")
            #expect(error?.attemptCount == 1 && error?.url == server.url("/"))
        }
    }

    @Test func aRedirectWithoutAHost() async throws {
        server.on("/", .redirect(to: "http:///x"))
        let error = await failure { try await bench.data(server.url("/"), .standard) } as? NetworkRequestError
        #expect(error?.code == .badURL && error?.attemptCount == 1)
    }

    @Test func anErrorNamesTheURLBeforeRedirects() async throws {
        server.on("/", .redirect(to: "/x"))
        server.on("/x", .close)
        let error = await failure { try await bench.data(server.url("/"), .singleAttempt) } as? NetworkRequestError
        #expect(error?.url == server.url("/") && server.hits("/x") > 0)
    }

    // MARK: The rules, without a network

    private static let secrets = ["Authorization", "Cookie", "Host", "Origin", "Proxy-Authorization"]

    private func follow(
        _ url: String, _ location: String, status: Int = 302, method: String = "GET"
    ) throws -> URLRequest? {
        let url = try #require(URL(string: url))
        var request = URLRequest(url: url)
        request.httpMethod = method
        for name in Self.secrets + ["X-Other"] { request.setValue("s3cret", forHTTPHeaderField: name) }
        let response = try #require(
            HTTPURLResponse(
                url: url, statusCode: status, httpVersion: nil,
                headerFields: ["Location": location]))
        return try request.redirected(by: response)
    }

    @Test(arguments: [
        ("target.txt", "http://h/a/b/target.txt"), ("./x", "http://h/a/b/x"), ("../x", "http://h/a/x"),
        ("/x", "http://h/x"), ("?q=2", "http://h/a/b/old?q=2"), ("/p%2Fq/r", "http://h/p%2Fq/r"),
        ("/x?u=%2F%26", "http://h/x?u=%2F%26"), ("/sp ace?u=%2F&v=d e", "http://h/sp%20ace?u=%2F&v=d%20e"),
        ("/\u{FC}", "http://h/%C3%BC"), ("//g/x", "http://g/x"), ("https://h/x", "https://h/x"),
        ("HTTP://g/x", "HTTP://g/x"), ("/a%20b[1].txt", "http://h/a%20b%5B1%5D.txt"),
        ("//b\u{FC}cher.g/x", "http://xn--bcher-kva.g/x"), ("/%E9", "http://h/%E9"), ("/x#", "http://h/x#"),
        ("/x#new%20", "http://h/x#new%20"),
    ])
    func targets(location: String, expected: String) throws {
        #expect(try follow("http://h/a/b/old?q=1", location)?.url?.absoluteString == expected)
    }

    @Test(arguments: [("/x", "f%20"), ("http://h:80/x", "f%20"), ("http://g/x?q", "f%20"), ("/x#", ""), ("/x#g", "g")])
    func aFragmentAndAUserAreInherited(location: String, expected: String) throws {
        let target = try follow("http://me:secret@h/#f%20", location)?.url
        #expect(target?.fragment(percentEncoded: true) == expected && (target?.user == nil) == (target?.host == "g"))
    }

    @Test(arguments: [
        ("https://h/", "http://h/x", URLError.Code.appTransportSecurityRequiresSecureConnection),
        ("http://h/", "ftp://h/x", .unsupportedURL), ("http://h/", "file:///etc/passwd", .unsupportedURL),
        ("http://h/", "ws://h/", .unsupportedURL),
    ])
    func refusedTargets(url: String, location: String, code: URLError.Code) {
        let error = #expect(throws: URLError.self) { try follow(url, location) }
        #expect(error?.code == code)
    }

    @Test(arguments: [
        ("http://h/", "https://h/", false), ("http://h/", "http://g/", false), ("http://h/", "http://h:81/", false),
        ("http://h/", "http://H:80/", true), ("https://h/", "https://h:443/", true), ("https://h/", "//h.x/", false),
    ])
    func credentials(url: String, location: String, areKept: Bool) throws {
        let request = try #require(try follow(url, location))
        for name in Self.secrets { #expect((request.value(forHTTPHeaderField: name) != nil) == areKept, "\(name)") }
        #expect(request.value(forHTTPHeaderField: "X-Other") == "s3cret")
    }

    @Test func aHeadRequestStaysOne() throws {
        #expect(try follow("http://h/", "/x", status: 303, method: "HEAD")?.httpMethod == "HEAD")
    }

    @Test(arguments: [(302, "1:2"), (302, "")] + [200, 300, 304, 305, 306, 404].map { ($0, "/x") })
    func noRedirects(status: Int, location: String) throws {
        #expect(try follow("http://h/", location, status: status) == nil)
    }

    @Test func anyLocation() throws {
        var generator = SeededGenerator(seed: 13)
        let letters =
            Array("ah/:%?#@[].2F\u{FC}\u{0} \\\"-_~+&=;,0189").map(String.init) + ["//", "http://", "https:", "%2F"]
        for _ in 0..<20_000 {
            let location = (0..<Int.random(in: 0...12, using: &generator))
                .map { _ in letters.randomElement(using: &generator)! }.joined()
            guard let next = try? follow("http://me:pw@h/a/b", location) else { continue }
            #expect(["http", "https"].contains(next.url?.scheme?.lowercased()))
            if next.url?.host != "h" { #expect(next.value(forHTTPHeaderField: "Authorization") == nil, "\(location)") }
        }
    }
}
#endif
