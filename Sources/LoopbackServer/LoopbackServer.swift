package import Foundation
import NetworkIndicator

/// An HTTP/1.1 server on 127.0.0.1 with scripted answers and faults, for tests and demonstrations.
///
/// ```swift
/// let server = try LoopbackServer()
/// server.on("/hello", .text("Hello"))
/// server.on("/flaky", .reset, .unavailable(retryAfter: "1"), .text("third time lucky"))
/// server.on("/echo") { request in .bytes(request.body) }
/// let (data, _) = try await URLSession.shared.data(from: server.url("/hello"))
/// #expect(server.hits("/hello") == 1)
/// server.stop()
/// ```
///
/// One thread serves all connections. Paths without a script get 404. Every member may be used on any thread.
package final class LoopbackServer: Sendable {
    /// The port, which is bound before the server listens.
    package let port: UInt16

    let state: Lock<ServerState>
    private let wakeup: Wakeup
    private let ended: DispatchGroup

    /// Binds to an ephemeral port and starts serving.
    ///
    /// - Parameters:
    ///   - isListening: `false` to refuse connections (`ECONNREFUSED`) until ``startListening()``.
    ///   - onEveryAddress: Whether to serve at every address of the machine, for tests in a separate network namespace.
    ///   - resettingFirst: The number of connections that are reset as soon as they are accepted.
    /// - Throws: ``SocketError``.
    package init(isListening: Bool = true, onEveryAddress: Bool = false, resettingFirst: Int = 0) throws {
        let listener = try Socket.bound(toEveryAddress: onEveryAddress)
        do {
            wakeup = try Wakeup()
            var initial = ServerState(listener: listener)
            if isListening { try initial.listen() }
            state = Lock(initial)
        } catch {
            listener.close()
            throw error
        }
        port = listener.port
        ended = DispatchGroup()
        ended.enter()
        let (state, wakeup, ended) = (state, wakeup, ended)
        let thread = Thread {
            ServerLoop(state: state, wakeup: wakeup, resettingFirst: resettingFirst).run()
            ended.leave()
        }
        thread.name = "LoopbackServer"
        thread.start()
    }

    deinit { requestStop() }

    /// The URL of a path.
    ///
    /// - Parameter path: The percent-encoded path with its leading slash. A query may follow.
    /// - Returns: `http://127.0.0.1:PORT` and the path.
    package func url(_ path: String) -> URL {
        URL(string: "http://127.0.0.1:\(port)\(path)")!
    }

    // MARK: Scripts

    /// Answers the requests of a path with these answers, in order. The last answer is repeated. Requests before this
    /// call count: after one, the script begins with the second answer.
    package func on(_ path: String, _ first: Answer, _ others: Answer...) {
        set(.answers([first] + others), for: path)
    }

    /// Answers each request of a path with the result of a closure.
    ///
    /// The closure runs on the server's thread, which serves no other request meanwhile. It must not stop the server.
    package func on(_ path: String, _ answer: @escaping @Sendable (HTTPRequest) -> Answer) {
        set(.closure(answer), for: path)
    }

    private func set(_ script: ServerState.Script, for path: String) {
        let replaced = state.withLock { state in
            defer { state.scripts[path] = script }
            return state.scripts[path]
        }
        withExtendedLifetime(replaced) {}  // releases a closure after unlocking
    }

    // MARK: Requests

    /// The number of complete requests of a path.
    package func hits(_ path: String) -> Int { state.withLock { $0.hits[path] ?? 0 } }

    /// Every request, in order.
    package var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// The requests of one path, in order.
    package func requests(_ path: String) -> [HTTPRequest] { requests.filter { $0.path == path } }

    /// The number of open connections.
    package var openConnectionCount: Int { state.withLock { $0.openConnections } }

    /// The number of connections accepted so far, including those that were reset.
    package var acceptedConnectionCount: Int { state.withLock { $0.acceptedConnections } }

    // MARK: Listening and stopping

    /// Begins to listen, unless the server already listens. When the call returns, clients can connect.
    package func startListening() throws {
        let failure: SocketError? = state.withLock { state in
            do throws(SocketError) {
                try state.listen()
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
        wakeup.wake()
    }

    /// Begins to listen after a time. Does nothing if the server already listens.
    package func startListening(after delay: Duration) {
        state.withLock { $0.listensAt = SuspendingClock().now.advanced(by: delay) }
        wakeup.wake()
    }

    /// Closes the port and every connection, and returns when they are closed. Idempotent.
    ///
    /// The deallocation of the server stops it asynchronously.
    package func stop() {
        requestStop()
        ended.wait()
    }

    private func requestStop() {
        let scripts = state.withLock { state in
            defer { state.scripts = [:] }
            state.isStopping = true
            return state.scripts
        }
        withExtendedLifetime(scripts) {}  // releases closures after unlocking
        wakeup.wake()
    }
}
