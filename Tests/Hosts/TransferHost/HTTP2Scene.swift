#if os(Linux)
import Foundation
import NetworkIndicatorTransfers

/// A server that speaks HTTP/2. The worker that has the connection then stops responding.
func http2() async throws {
    let nginx = try Nginx(options: "ssl http2", "add_header X-Worker $pid always; location /new { return 200 new; }")
    defer { nginx.stop() }
    nginx.trust()
    let session = URLSession(configuration: .ephemeral)
    func response(_ policy: TrackedRetryPolicy = .singleAttempt) async throws -> HTTPURLResponse? {
        let request = URLRequest(url: nginx.url("/new"), timeoutInterval: 2)
        return try await session.trackedData(for: request, policy: policy).1 as? HTTPURLResponse
    }
    func worker(_ response: HTTPURLResponse?) -> pid_t {
        response?.value(forHTTPHeaderField: "X-Worker").flatMap { pid_t($0) } ?? 0
    }
    try await nginx.waitUntilReady { await (try? response()) != nil }
    let first = try await response()
    report("version", first?.value(forHTTPHeaderField: "Connection") == nil ? "2" : "1")
    let silent = worker(first)
    kill(silent, SIGSTOP)
    defer { kill(silent, SIGCONT) }
    // The connection stays open for this request.
    let waiting = Task { try await session.trackedData(from: nginx.url("/new"), policy: .singleAttempt) }
    defer { waiting.cancel() }
    var policy = TrackedRetryPolicy.standard
    policy.backoffBase = .zero
    let other = worker(try await response(policy))
    report("after silence", other == silent ? "the same worker" : "another worker")
}
#endif
