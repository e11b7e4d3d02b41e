import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The first requests of a session, at once. Each sends the headers of the session's configuration.
struct FirstRequests {
    func run() async throws {
        let server = try LoopbackServer()
        server.on("/", .text("Hello"))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-API-Key": "s3cret"]
        let session = URLSession(configuration: configuration)
        let manager = NetworkIndicatorManager(configuration: .immediate)
        let url = server.url("/")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask { _ = try? await session.trackedData(from: url, policy: .never, manager: manager) }
            }
        }
        report("with headers", server.requests.count { $0.headers["X-API-Key"] == "s3cret" })
        report("after", session.configuration.httpAdditionalHeaders?.count ?? 0)
    }
}
