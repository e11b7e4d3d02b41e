import Foundation
import LoopbackServer
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Stage: Sendable {
    let server: LoopbackServer
    let session: URLSession

    init() throws {
        server = try LoopbackServer()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 200
        session = URLSession(configuration: configuration)
    }

    func task(_ path: String, _ response: Response, ended: Moment = Moment()) -> URLSessionTask {
        server.on(path, response)
        return session.dataTask(with: server.url(path)) { _, _, _ in ended.set() }
    }
}

final class Moment: Sendable {
    private let state = Lock(false)

    var hasPassed: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }

    func reached() async throws {
        let start = SuspendingClock().now
        while !hasPassed, start.duration(to: SuspendingClock().now) < .seconds(60) {
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

final class Lamp: ActivityIndicator {
    let shown = Moment()

    nonisolated init() {}

    func setVisible(_ isVisible: Bool) {
        if isVisible { shown.set() }
    }
}

func concurrently<R: Sendable>(
    _ count: Int, atOnce: Int, _ body: @escaping @Sendable (Int) async throws -> R
) async throws -> [R] {
    try await withThrowingTaskGroup(of: R.self) { group in
        var results: [R] = []
        for number in 0..<count {
            if number >= atOnce, let result = try await group.next() { results.append(result) }
            group.addTask { try await body(number) }
        }
        return try await group.reduce(into: results) { $0.append($1) }
    }
}
