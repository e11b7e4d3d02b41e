import Foundation
import LoopbackServer
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server, and a session that makes up to 200 requests at once.
struct Stage: Sendable {
    let server: LoopbackServer
    let session: URLSession

    init() throws {
        server = try LoopbackServer()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 200
        session = URLSession(configuration: configuration)
    }

    /// Makes a task that takes about as long as the delay of its answer. `ended` receives the time of its completion
    /// handler.
    func task(_ path: String, answeredAfter delay: Duration, ended: Moment) -> URLSessionTask {
        server.on(path, .text("Hello").delayed(by: delay))
        return session.dataTask(with: server.url(path)) { _, _, _ in ended.set() }
    }
}

/// The time when an event first happened. Thread-safe.
final class Moment: Sendable {
    private let instant = Lock<SuspendingClock.Instant?>(nil)

    var value: SuspendingClock.Instant? { instant.withLock { $0 } }

    func set() {
        let now = SuspendingClock().now
        instant.withLock { $0 = $0 ?? now }
    }

    /// Returns when the event has happened, or after a limit.
    func reached(within limit: Duration = .seconds(30)) async throws {
        let start = SuspendingClock().now
        while value == nil, start.duration(to: SuspendingClock().now) < limit {
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

/// Measures how late this machine's threads continue.
final class StallMeter: Sendable {
    private let stall = Lock<Duration>(.zero)

    var longest: Duration { stall.withLock { $0 } }

    init() {
        Thread.detachNewThread {
            while true {
                let due = SuspendingClock().now.advanced(by: .milliseconds(5))
                Thread.sleep(forTimeInterval: 0.005)
                let delay = due.duration(to: SuspendingClock().now)
                self.stall.withLock { $0 = max($0, delay) }
            }
        }
    }
}

/// An indicator that records when it was first switched on.
final class Lamp: ActivityIndicator {
    let shown = Moment()

    nonisolated init() {}

    func setVisible(_ isVisible: Bool) {
        if isVisible { shown.set() }
    }
}

extension Duration {
    /// Whole milliseconds, rounded.
    var milliseconds: Int { Int((self / .milliseconds(1)).rounded()) }
}

/// Runs a body for each number, with a limit on concurrent runs, and returns the results in any order.
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
