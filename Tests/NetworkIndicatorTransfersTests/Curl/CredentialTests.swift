#if canImport(FoundationNetworking)
import Foundation
import LoopbackServer
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.serialized, .timeLimit(.minutes(10)))
struct CredentialTests {
    private static let basic = "Basic bWU6c2VjcmV0"
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    /// - Parameter change: Changes the host, port, protocol and method of the credential.
    private func bench(
        password: String = "secret", host: String = "127.0.0.1", port: Int? = nil, protocol scheme: String = "http",
        method: String = NSURLAuthenticationMethodHTTPBasic
    ) -> Bench {
        let space = URLProtectionSpace(
            host: host, port: port ?? Int(server.port), protocol: scheme, realm: "other", authenticationMethod: method)
        return Bench {
            let storage = URLCredentialStorage()
            storage.set(URLCredential(user: "me", password: password, persistence: .forSession), for: space)
            $0.urlCredentialStorage = storage
        }
    }

    private func require(_ challenge: String, _ scheme: String) {
        server.on("/") { request in
            request.headers["Authorization"]?.hasPrefix(scheme) == true
                ? .bytes(request.body) : .status(401, headers: ["WWW-Authenticate": challenge])
        }
    }

    private var authorizations: [String?] { server.requests.map { $0.headers["Authorization"] } }

    // MARK: Credentials of the storage

    /// After the first response, the origin receives the password at once.
    @Test(arguments: ["GET", "PUT", "POST"]) func aStoredPassword(method: String) async throws {
        require("Basic realm=\"x\"", Self.basic)
        let bench = bench()
        for hits in 2...3 {
            var request = URLRequest(method, server.url("/"), body: method == "PUT" ? "body" : nil)
            if method == "POST" { request.httpBodyStream = InputStream(data: Data("body".utf8)) }
            let (data, status) = try await bench.data(request, .singleAttempt)
            #expect(status == 200 && data == Data((method == "GET" ? "" : "body").utf8))
            #expect(server.hits("/") == hits)
        }
        #expect(authorizations == [nil, Self.basic, Self.basic])
    }

    @Test func aFileIsSentAgainFromItsBeginning() async throws {
        require("Basic realm=\"x\"", Self.basic)
        let folder = try TemporaryFolder()
        let contents = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try contents.write(to: folder.url("x"))
        let (data, _) = try await bench().session.trackedUpload(
            for: URLRequest("PUT", server.url("/")), fromFile: folder.url("x"), policy: .singleAttempt)
        #expect(data == contents && server.hits("/") == 2)
    }

    @Test func digest() async throws {
        require("Digest realm=\"x\", nonce=\"y\", qop=\"auth\", algorithm=SHA-256", "Digest username=\"me\"")
        for _ in 1...2 {
            let bench = bench(method: NSURLAuthenticationMethodHTTPDigest)
            #expect(try await bench.data(URLRequest("PUT", server.url("/"), body: "x"), .singleAttempt).status == 200)
        }
        #expect(server.requests.last?.body == Array("x".utf8))
    }

    @Test func aWrongPasswordIsSentOnce() async throws {
        require("Basic realm=\"x\"", Self.basic)
        let bench = bench(password: "wrong")
        for hits in [2, 4] {
            let (data, status) = try await bench.data(server.url("/"), .standard.unhurried)
            #expect(status == 401 && data == Data("401\n".utf8) && server.hits("/") == hits)
        }
    }

    @Test(arguments: ["host", "port", "protocol", "method"]) func aPasswordOfAnotherOrigin(difference: String)
        async throws
    {
        require("Basic realm=\"x\"", Self.basic)
        let bench =
            switch difference {
            case "host": bench(host: "127.0.0.2")
            case "port": bench(port: Int(server.port) ^ 1)
            case "protocol": bench(protocol: "https")
            default: bench(method: NSURLAuthenticationMethodHTMLForm)
            }
        #expect(try await bench.data(server.url("/"), .singleAttempt).status == 401)
        #expect(authorizations == [nil])
    }

    @Test(arguments: ["Bearer realm=\"Basic access\"", "Negotiate", "NTLM", "Basicx realm=\"x\"", ""])
    func anotherMethod(challenge: String) async throws {
        require(challenge, Self.basic)
        let (data, status) = try await bench().data(server.url("/"), .singleAttempt)
        #expect(status == 401 && data == Data("401\n".utf8) && authorizations == [nil])
    }

    @Test func aRedirectToAnotherOrigin() async throws {
        let other = try LoopbackServer()
        other.on("/", .status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""]))
        server.on(
            "/", .status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""]), .redirect(to: "\(other.url("/"))"))
        #expect(try await bench().data(server.url("/"), .singleAttempt).status == 401)
        #expect(authorizations == [nil, Self.basic] && other.requests.map { $0.headers["Authorization"] } == [nil])
    }

    @Test func theRequestHasAnAuthorization() async throws {
        require("Basic realm=\"x\"", Self.basic)
        var request = URLRequest("GET", server.url("/"))
        request.setValue("Bearer 1", forHTTPHeaderField: "Authorization")
        #expect(try await bench().data(request, .singleAttempt).status == 401)
        #expect(authorizations == ["Bearer 1"])
    }

    /// libcurl waits for the end of the body.
    @Test func aBodyThatStalls() async throws {
        let challenge = Response.status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])
        server.on("/", challenge.cut(.stall, after: 1))
        let request = URLRequest("GET", server.url("/"), timeout: 3_600)
        let (data, status) = try await bench().data(request, .singleAttempt)
        #expect(status == 401 && data.isEmpty && server.hits("/") == 1)
    }

    /// Longer than the time for the body of a 401.
    @Test func theSecondResponseIsSlow() async throws {
        let challenge = Response.status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])
        server.on("/", challenge, .text("x").delayed(by: .seconds(7)))
        #expect(try await bench().data(server.url("/"), .singleAttempt).status == 200)
    }

    // MARK: Credentials of the URL

    @Test func aPasswordInTheURLIsSentAtOnce() async throws {
        require("Basic realm=\"x\"", "Basic")
        let url = try #require(URL(string: "http://m%40:s%3Ac@127.0.0.1:\(server.port)/"))
        #expect(try await bench().data(url, .singleAttempt).status == 200)
        #expect(authorizations == ["Basic \(Data("m@:s:c".utf8).base64EncodedString())"])
    }
}
#endif
