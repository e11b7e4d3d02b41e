import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Cancellations {
    private let session = URLSession(configuration: .default)
    private let manager = NetworkIndicatorManager(configuration: .immediate)

    func early(_ count: Int) async throws {
        let url = try LoopbackServer(isListening: false).url("/")
        var ends: Set<String> = []
        for number in 0..<count {
            let call = Task { try await session.trackedData(from: url, policy: .singleAttempt, manager: manager) }
            if number % 100 == 99 { _ = await call.result }
            for _ in 0..<(number % 100) { await Task.yield() }
            call.cancel()
            ends.insert(Self.end(await call.result))
        }
        report("ends", ends.sorted())
    }

    func uploads(_ count: Int) async throws {
        let server = try LoopbackServer()
        server.on("/", .silence)
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "PUT"
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).body")
        try Data(count: 5_000_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var ends: Set<String> = []
        for number in 0..<count {
            let call = Task { [request] in
                try await session.trackedUpload(for: request, fromFile: file, policy: .singleAttempt, manager: manager)
            }
            try await Task.sleep(for: .microseconds(number % 50 * 50))
            call.cancel()
            ends.insert(Self.end(await call.result))
        }
        report("ends", ends.sorted())
    }

    private static func end(_ result: Result<some Any, any Error>) -> String {
        switch result {
        case .success: "complete"
        case .failure(let error): error is CancellationError ? "cancelled" : "failed"
        }
    }
}
