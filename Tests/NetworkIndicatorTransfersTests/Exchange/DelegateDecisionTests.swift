import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.serialized, .timeLimit(.minutes(10)))
struct DelegateDecisionTests {
    private let bench = Bench()
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.on("/", .redirect(to: "/file"))
        server.on("/file", .text("file"))
    }

    private func session(queue: OperationQueue? = nil, _ redirect: @escaping Delegate.Redirect) -> URLSession {
        URLSession(configuration: .default, delegate: Delegate(redirect: redirect), delegateQueue: queue)
    }

    @Test(arguments: ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Basic realm=\"x\", charset=\"UTF-8\""])
    func credentialsThatCannotBeUsed(challenge: String) async throws {
        server.on("/", .status(401, headers: ["WWW-Authenticate": challenge]))
        let session = session { $1($0) }
        defer { session.finishTasksAndInvalidate() }
        for session in [session, bench.session] {
            let (data, response) = try await session.trackedData(
                for: URLRequest("GET", server.url("/"), timeout: 3_600), policy: .singleAttempt, manager: bench.manager)
            #expect((response as? HTTPURLResponse)?.statusCode == 401 && data == Data("401\n".utf8))
        }
    }

    @Test func aDelegateThatRefusesARedirectOnItsQueue() async throws {
        let (queue, isRight) = (OperationQueue(), Log<Bool>())
        let session = session(queue: queue) { _, decide in
            isRight.add(OperationQueue.current === queue)
            decide(nil)
        }
        defer { session.finishTasksAndInvalidate() }
        let (_, response) = try await session.trackedData(from: server.url("/"), manager: bench.manager)
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
        #expect(server.hits("/file") == 0 && isRight.entries == [true])
    }

    #if canImport(FoundationNetworking)
    @Test func aDecisionThatComesAfterTheCancellation() async throws {
        let questions = Log<@Sendable () -> Void>()
        let session = session { request, decide in questions.add { decide(request) } }
        defer { session.finishTasksAndInvalidate() }
        let call = Task {
            try await session.trackedDownload(from: server.url("/"), policy: .singleAttempt, manager: bench.manager)
        }
        await questions.reached(1)
        call.cancel()
        #expect(await failure { try await call.value } is CancellationError)
        for decide in questions.entries { decide() }
        let (url, _) = try await session.trackedDownload(from: server.url("/file"), manager: bench.manager)
        try FileManager.default.removeItem(at: url)
        #expect(server.hits("/file") == 1)
    }

    @Test func onlyTheFirstDecisionCounts() async throws {
        let session = session { request, decide in
            decide(request)
            decide(request)
            decide(nil)
        }
        defer { session.finishTasksAndInvalidate() }
        let (data, _) = try await session.trackedData(from: server.url("/"), manager: bench.manager)
        #expect(data == Data("file".utf8) && server.hits("/file") == 1)
    }

    @Test func aDelegateThatChangesTheMethod() async throws {
        server.on("/", .redirect(to: "/file", status: 307))
        let session = session { request, decide in decide(request.url.map { URLRequest(url: $0) }) }
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.trackedUpload(
            for: URLRequest("PUT", server.url("/")), from: Data(count: 9), manager: bench.manager)
        #expect(server.requests.map(\.method) == ["PUT", "GET"] && server.requests.last?.body.isEmpty == true)
    }

    @Test func aDecisionThatTakesLongerThanTheTimeout() async throws {
        let session = session { request, decide in
            DispatchQueue.global().asyncAfter(deadline: .now() + 2) { decide(request) }
        }
        defer { session.finishTasksAndInvalidate() }
        let request = URLRequest("GET", server.url("/"), timeout: 1)
        // On a busy machine, the first response may take longer than the timeout of 1 s.
        var policy = TrackedRetryPolicy.standard.unhurried
        policy.maximumRetries = 20
        let (data, _) = try await session.trackedData(for: request, policy: policy, manager: bench.manager)
        #expect(data == Data("file".utf8))
    }
    #endif
}

final class Delegate: NSObject, URLSessionTaskDelegate {
    typealias Redirect = @Sendable (URLRequest, @escaping @Sendable (URLRequest?) -> Void) -> Void

    private let redirect: Redirect

    init(redirect: @escaping Redirect = { $1($0) }) { self.redirect = redirect }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        redirect(request, completionHandler)
    }

    /// Not called on Linux.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, nil)
    }
}
