import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Uploads of a file that are cancelled while it is sent.
struct CancelledUploads {
    func run(_ count: Int) async throws {
        let server = try LoopbackServer()
        server.on("/", .silence)
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "PUT"
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).body")
        try Data(count: 5_000_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let session = URLSession(configuration: .default)
        let manager = NetworkIndicatorManager(configuration: .immediate)
        var cancelled = 0
        for number in 0..<count {
            let call = Task { [request] in
                do {
                    _ = try await session.trackedUpload(for: request, fromFile: file, policy: .never, manager: manager)
                    return false
                } catch {
                    return error is CancellationError
                }
            }
            try await Task.sleep(for: .microseconds(number % 50 * 50))
            call.cancel()
            if await call.value { cancelled += 1 }
        }
        report("cancelled", cancelled)
    }
}
