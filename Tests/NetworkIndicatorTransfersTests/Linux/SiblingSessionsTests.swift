#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import LoopbackServer
import NetworkIndicator
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.serialized, .timeLimit(.minutes(10)))
struct SiblingSessionsTests {
    let bench = Bench()
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    // MARK: The caller's configuration

    /// On Linux, copying the configuration of a session on several threads at once can corrupt memory.
    @Test func theConfigurationIsCopied() async throws {
        server.on("/") { $0.hit == 1 ? .reset : .text("Hello") }
        for _ in 1...10 {
            let bench = Bench {
                $0.httpAdditionalHeaders = ["X-API-Key": "s3cret"]
                $0.timeoutIntervalForRequest = 700
                $0.timeoutIntervalForResource = 1e18
            }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<32 {
                    group.addTask { _ = try? await bench.data(server.url("/"), .standard.unhurried) }
                }
            }
            #expect(bench.session.configuration.httpAdditionalHeaders as? [String: String] == ["X-API-Key": "s3cret"])
            #expect(bench.session.configuration.timeoutIntervalForRequest == 700)
        }
        #expect(server.requests.count { $0.headers["X-API-Key"] == "s3cret" } == 321)
    }

    /// On Linux, `URLCache` ignores the query of a URL.
    @Test func theCacheIsNotAsked() async throws {
        server.on("/", .text("Hello"))
        let request = URLRequest(url: server.url("/?a=1"))
        let response = try #require(
            HTTPURLResponse(url: server.url("/?a=1"), statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil))
        let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
        cache.storeCachedResponse(CachedURLResponse(response: response, data: Data("wrong".utf8)), for: request)
        let bench = Bench { $0.urlCache = cache }
        #expect(try await bench.data(server.url("/?a=2"), .singleAttempt).data == Data("Hello".utf8))
        #expect(bench.session.configuration.urlCache === cache)
    }

    // MARK: Sibling sessions

    @Test func aNewSessionReleasesTheSiblingsOfDeallocatedSessions() {
        weak var sibling: SiblingSession?
        do { sibling = SiblingSession.of(URLSession(configuration: .ephemeral)) }
        _ = SiblingSession.of(bench.session)
        #expect(sibling == nil)
    }

    /// Otherwise, the connections of deallocated sessions could exhaust the file descriptors.
    @Test func aReleasedSiblingClosesItsConnections() async throws {
        server.on("/", .text("Hello"))
        for _ in 1...20 {
            let session = URLSession(configuration: .ephemeral)
            _ = try await session.trackedData(from: server.url("/"), manager: bench.manager)
            SiblingSession.of(session).retire(from: session)
        }
        let start = ContinuousClock.now
        while server.openConnectionCount > 0, start.duration(to: .now) < .seconds(60) { await Task.yield() }
        #expect(server.acceptedConnectionCount == 20 && server.openConnectionCount == 0)
    }

    // MARK: URLSession's private properties

    /// If this test fails with another version of Foundation, correct the path. Without its property, a suspension of
    /// reading, or a redirect before the end of a long body, has no effect.
    @Test func foundationHasThePrivateProperties() async throws {
        server.on("/", Response.generated(size: 2_000_000).cut(.stall, after: 100))
        let call = Task { try await bench.data(server.url("/"), .singleAttempt) }
        defer { call.cancel() }
        let (task, session) = (await bench.session.transport.firstTask(), SiblingSession.of(bench.session))
        let (start, queue) = (ContinuousClock.now, try #require(session.sessionQueue, "workQueue"))
        let running = try #require(task)
        while running.response == nil, start.duration(to: .now) < .seconds(60) { await Task.yield() }
        for path in Reflection.Path.allCases {
            let isQueue = [.readingQueue, .sessionQueue].contains(path)
            let value = queue.sync { Reflection.value(of: isQueue ? session : running as Any, path) }
            let isResponse = path == .response && value is HTTPURLResponse
            #expect(isQueue ? value is DispatchQueue : isResponse || value is UnsafeMutableRawPointer, "\(path)")
        }
        #expect(Reflection.information != nil, "CFURLSession_easy_getinfo_long")
    }

    /// URLSession on Linux reports an unsupported URL.
    @Test func theRestOfAnEarlierResponse() async throws {
        server.on("/", .text("first"), .text("second").preceded(by: "rest"), .text("third"))
        #expect(try await bench.data(server.url("/"), .standard.unhurried).data == Data("first".utf8))
        #expect(try await bench.data(server.url("/"), .standard.unhurried).data == Data("third".utf8))
        #expect(server.acceptedConnectionCount == 2)
        server.on("/rest", .text("file").preceded(by: "rest"))
        let error = await failure { try await bench.data(server.url("/rest"), .singleAttempt) }
        #expect((error as? NetworkRequestError)?.description.contains("no status line") == true, "\(error!)")
    }

    // MARK: Time

    /// Without a pause, libcurl may end the response earlier, after 300 kB.
    @Test(arguments: [0, 1, 20]) func manyInformationalResponses(interval: Int) async throws {
        let early = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"
        server.on("/", .text("late").preceded(by: early, count: 1_000_000, every: .milliseconds(interval)))
        let request = URLRequest("GET", server.url("/"), timeout: 1)
        let error = try #require(await failure { try await bench.data(request, .singleAttempt) })
        let isTooLong = interval == 0 && "\(error)".contains("Too large response headers")
        #expect(isTooLong || (error as? NetworkRequestError)?.code == .timedOut, "\(error)")
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
