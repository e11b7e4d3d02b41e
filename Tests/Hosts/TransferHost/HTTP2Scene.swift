#if os(Linux)
import Foundation
import NetworkIndicator
import NetworkIndicatorTransfers

struct HTTP2Scene {
    private let nginx: Nginx
    private let session = URLSession(configuration: .ephemeral)
    private let manager = NetworkIndicatorManager(configuration: .immediate)

    init() throws {
        nginx = try Nginx(
            options: "ssl http2",
            """
            add_header X-Worker $pid always;
            location /new { return 200 "new"; }
            """)
        nginx.trust()
    }

    func run() async throws {
        defer { nginx.stop() }
        try await nginx.waitUntilReady { await (try? worker(.singleAttempt)) != nil }
        let (_, response) = try await session.trackedData(from: url("/new"), manager: manager)
        let connection = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Connection")
        report("version", connection == nil ? "2" : "1")
        try await silence()
    }

    private func url(_ path: String) -> URL { nginx.url(path) }

    private func worker(_ policy: TrackedRetryPolicy) async throws -> pid_t {
        let request = URLRequest(url: url("/new"), timeoutInterval: 2)
        let (_, response) = try await session.trackedData(for: request, policy: policy, manager: manager)
        let value = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Worker")
        return value.flatMap { pid_t($0) } ?? 0
    }

    private func silence() async throws {
        let silent = try await worker(.singleAttempt)
        kill(silent, SIGSTOP)
        defer { kill(silent, SIGCONT) }
        // The connection stays open for this request.
        let waiting = Task { try await session.trackedData(from: url("/new"), policy: .singleAttempt) }
        defer { waiting.cancel() }
        var policy = TrackedRetryPolicy.standard
        policy.backoffBase = .zero
        do {
            let other = try await worker(policy)
            report("after silence", other == silent ? "the same worker" : "another worker")
        } catch {
            report("after silence", error)
        }
    }
}
#endif
