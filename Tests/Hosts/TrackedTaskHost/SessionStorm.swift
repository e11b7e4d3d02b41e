import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// URLSession on Linux can crash if a cancellation coincides with a completion, so this storm cancels only requests
/// that get no response.
struct SessionStorm {
    func run(_ rounds: Int) async throws {
        let server = try LoopbackServer()
        server.on("/", .text("Hello"))
        server.on("/silent", .silence)
        let manager = NetworkIndicatorManager(configuration: .immediate)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 200
        let session = URLSession.tracked(configuration: configuration, manager: manager)
        let (whole, cancelled, wrong) = (Lock(0), Lock(0), Lock(0))
        let handlers = DispatchGroup()
        for _ in 0..<rounds {
            DispatchQueue.concurrentPerform(iterations: 100) { number in
                let isSilent = number % 3 == 0
                let url = server.url(isSilent ? "/silent" : "/")
                let end: @Sendable (Bool, (any Error)?) -> Void = { isWhole, error in
                    let counter = isWhole ? whole : (error as? URLError)?.code == .cancelled ? cancelled : wrong
                    counter.withLock { $0 += 1 }
                    handlers.leave()
                }
                handlers.enter()
                let task = makeTask(number, url, session, end)
                task.resume()
                guard isSilent else { return }
                DispatchQueue.global().asyncAfter(deadline: .now() + .random(in: 0...0.03)) { task.cancel() }
            }
            // `waitUntilIdle` isn't enough, because a cancelled task ends for the manager before URLSession calls the
            // task's handler.
            await withCheckedContinuation { continuation in
                handlers.notify(queue: .global()) { continuation.resume() }
            }
            try await manager.waitUntilIdle()
        }
        report("whole", whole.withLock { $0 })
        report("cancelled", cancelled.withLock { $0 })
        report("wrong", wrong.withLock { $0 })
        report("tasks", await MainActor.run { manager.activeTaskCount })
    }

    private func makeTask(
        _ number: Int, _ url: URL, _ session: URLSession, _ end: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) -> URLSessionTask {
        switch number % 4 {
        case 0, 1:
            return session.dataTask(with: url) { data, _, error in end(data?.count == 5, error) }
        case 2:
            return session.downloadTask(with: url) { file, _, error in
                end((file.flatMap { try? Data(contentsOf: $0) })?.count == 5, error)
            }
        default:
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            return session.uploadTask(with: request, from: Data([1])) { data, _, error in end(data?.count == 5, error) }
        }
    }
}
