#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking
import LoopbackServer
import NetworkIndicator
import Testing

@testable import NetworkIndicatorTransfers

/// Faults of URLSession on Linux that the transport avoids.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SiblingSessionsTests {
    let bench = Bench()
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func download(
        _ request: URLRequest, in session: URLSession, _ policy: TrackedRetryPolicy = .never
    ) async throws -> any Error {
        let folder = try TemporaryFolder()
        return try #require(
            await failure {
                try await session.trackedDownload(
                    for: request, to: folder.url("x"), policy: policy, manager: bench.manager)
            })
    }

    // MARK: The caller's configuration

    /// `session.configuration` returns the object that the session uses, and not a copy.
    @Test func theCallersConfigurationDoesNotChange() async throws {
        server.on("/", .text("Hello"))
        let bench = Bench {
            $0.httpAdditionalHeaders = ["X-API-Key": "s3cret"]
            $0.timeoutIntervalForRequest = 7
        }
        _ = try await bench.data(server.url("/"), .never)
        _ = try await bench.session.data(from: server.url("/"))
        #expect(server.requests.map { $0.headers["X-API-Key"] } == ["s3cret", "s3cret"])
        #expect(bench.session.configuration.httpAdditionalHeaders as? [String: String] == ["X-API-Key": "s3cret"])
        #expect(bench.session.configuration.timeoutIntervalForRequest == 7)
    }

    /// A retry uses another sibling session.
    @Test func aRetryOnANewConnectionSendsTheHeaders() async throws {
        server.on("/", .reset, .text("Hello"))
        let bench = Bench { $0.httpAdditionalHeaders = ["X-API-Key": "s3cret"] }
        _ = try await bench.data(server.url("/"), .standard.unhurried)
        #expect(server.requests.map { $0.headers["X-API-Key"] } == ["s3cret", "s3cret"])
    }

    @Test(arguments: [TimeInterval.infinity, .nan, 1e18, -.infinity, 0])
    func timeoutsOfTheConfigurationDoNotTrap(timeout: TimeInterval) async throws {
        server.on("/", .text("Hello"))
        let bench = Bench {
            $0.timeoutIntervalForRequest = timeout
            $0.timeoutIntervalForResource = timeout
        }
        #expect(try await bench.data(server.url("/"), .never).status == 200)
    }

    /// The cache ignores the query. It responds on another thread, and a task that fails before that can't be cancelled
    /// safely.
    @Test func theCacheIsNotAsked() async throws {
        server.on("/", .text("Hello"))
        let request = URLRequest(url: server.url("/?a=1"))
        let response = try #require(
            HTTPURLResponse(url: server.url("/?a=1"), statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil))
        let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
        cache.storeCachedResponse(CachedURLResponse(response: response, data: Data("wrong".utf8)), for: request)
        let bench = Bench { $0.urlCache = cache }
        #expect(try await bench.session.data(from: server.url("/?a=2")).0 == Data("wrong".utf8))
        #expect(try await bench.data(server.url("/?a=2"), .never).data == Data("Hello".utf8))
        #expect(bench.session.configuration.urlCache === cache)
    }

    // MARK: Sibling sessions

    /// Without this, a program with a session for each request runs out of descriptors.
    @Test func aNewSessionReleasesTheSiblingsOfDeallocatedSessions() {
        let siblings = SiblingSessions()
        weak var sibling: Transport?
        do {
            let session = URLSession(configuration: .ephemeral)
            sibling = siblings.sibling(of: session)
        }
        let session = URLSession(configuration: .ephemeral)
        _ = siblings.sibling(of: session)
        #expect(sibling == nil)
    }

    // MARK: Challenges

    /// URLSession traps at `nil`, and at credentials for other methods than Basic.
    @Test(arguments: ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Basic realm=\"x\", charset=\"UTF-8\""])
    func credentialsThatCannotBeUsed(challenge: String) async throws {
        server.on("/", .status(401, headers: ["WWW-Authenticate": challenge]))
        let credential =
            challenge.hasPrefix("Digest") ? URLCredential(user: "a", password: "b", persistence: .none) : nil
        let session = URLSession(
            configuration: .default, delegate: Challenged(.useCredential, credential), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let (_, response) = try await session.trackedData(from: server.url("/"), policy: .never, manager: bench.manager)
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
    }

    @Test(arguments: [401, 407]) func aRefusalWhoseBodyNeverEnds(status: Int) async throws {
        let response = Response(
            status: status, headers: ["WWW-Authenticate": "Basic realm=\"x\""], body: .generated(size: 1 << 40, seed: 1)
        )
        server.on("/", response)
        let error = try await download(URLRequest("GET", server.url("/"), timeout: 3_600), in: bench.session)
        guard case .unacceptableStatus = error as? DownloadError else {
            Issue.record("\(error)")
            return
        }
    }

    // MARK: Time

    /// URLSession reads the body of a redirect to its end, and doesn't report it.
    @Test func aRedirectWhoseBodyNeverEnds() async throws {
        var response = Response(status: 302, body: .generated(size: 1 << 40, seed: 1))
        response.headers["Location"] = "/x"
        server.on("/", response.dripping(100, every: .milliseconds(10)))
        let error = try await download(URLRequest("GET", server.url("/"), timeout: 1), in: bench.session)
        #expect((error as? NetworkRequestError)?.code == .timedOut)
    }

    @Test func anOverallDeadline() async throws {
        server.on("/", Response.generated(size: 1 << 40).dripping(1, every: .milliseconds(10)))
        let bench = Bench { $0.timeoutIntervalForResource = 1 }
        let error = try await download(URLRequest("GET", server.url("/")), in: bench.session, .standard)
        let typed = try #require(error as? NetworkRequestError)
        #expect(typed.code == .timedOut && typed.attempts == 1)
        #expect(typed.underlyingError.localizedDescription == "not complete within 1.0 s")
    }

    /// A handler can exceed the deadline. That is no cancellation.
    @Test func aDeadlineBeforeTheRequest() async throws {
        server.on("/", .silence)
        let bench = Bench { $0.timeoutIntervalForResource = 20 }
        for _ in 0..<20 {
            let clock = ManualTiming()
            let error = await failure {
                try await bench.data(URLRequest("GET", server.url("/")), .standard.on(clock)) { event in
                    if case .started = event { clock.advance(by: .seconds(21)) }
                }
            }
            #expect((error as? NetworkRequestError)?.code == .timedOut)
        }
    }

    /// The wait would exceed the deadline.
    @Test func noRetryAfterTheDeadline() async throws {
        server.on("/", .unavailable(retryAfter: "30"))
        let bench = Bench { $0.timeoutIntervalForResource = 20 }
        let response = try await bench.data(server.url("/"), .retryingServerErrors.unhurried)
        #expect(response.status == 503 && server.hits("/") == 1)
    }

    /// A pending call may hold a response, so the server's silence is known only until the last delivery.
    @Test func silenceCountsOnlyWhileItIsKnown() {
        let start = ExchangeClock.Instant.now
        var clock = ExchangeClock(.seconds(100), 3, start)
        #expect(clock.check(start + .seconds(2), at: start + .seconds(8)) == .wait(.seconds(1)))
        #expect(clock.check(start + .seconds(4), at: start + .seconds(8)) == .silent)
        clock.noteActivity(at: start + .seconds(2))
        #expect(clock.check(start + .seconds(4), at: start + .seconds(8)) == .wait(.seconds(1)))
        clock.isPaused = true
        #expect(clock.check(start + .seconds(8), at: start + .seconds(8)) == .wait(.seconds(3)))
        #expect(clock.check(start + .seconds(8), at: start + .seconds(101)) == .tooLong)
    }
}

private final class Challenged: NSObject, URLSessionTaskDelegate {
    private let disposition: URLSession.AuthChallengeDisposition
    private let credential: URLCredential?

    init(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
        self.disposition = disposition
        self.credential = credential
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(disposition, credential)
    }
}
#endif
