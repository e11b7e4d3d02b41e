public import Foundation
import NetworkIndicator

/// A local HTTP/1.1 server with scripted responses and faults, for tests and demonstrations.
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
/// If a path has no script, the server responds with 404. The server closes a connection after unsupported input, such
/// as an HTTP/1.0 request or trailer fields.
public final class LoopbackServer: Sendable {
    public let port: UInt16

    private let listener: Socket
    private let state = Lock(ServerState())
    private let ended = DispatchGroup()

    /// If `isListening` is `false`, the system refuses connections until you call ``startListening()``.
    public init(isListening: Bool = true, onEveryAddress: Bool = false) throws {
        listener = try Socket.bound(toEveryAddress: onEveryAddress)
        port = listener.port
        if isListening { try startListening() }
    }

    deinit { requestStop() }

    public func url(_ path: String) -> URL {
        URL(string: "http://127.0.0.1:\(port)\(path)")!
    }

    // MARK: Scripts

    /// The nth request for the path receives the nth response. If there are more requests than responses, the
    /// additional requests receive the last response.
    public func on(_ path: String, _ first: Response, _ others: Response...) {
        let responses = [first] + others
        on(path) { responses[min($0.hit, responses.count) - 1] }
    }

    /// The closure runs on the threads of the connections, and must not call ``stop()``, which waits for these threads.
    public func on(_ path: String, _ response: @escaping @Sendable (HTTPRequest) -> Response) {
        let replaced = state.withLock { $0.scripts.updateValue(response, forKey: path) }
        withExtendedLifetime(replaced) {}  // Releasing the closure under the lock could deadlock.
    }

    // MARK: Requests

    public func hits(_ path: String) -> Int { state.withLock { $0.hits[path] ?? 0 } }

    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    public func requests(_ path: String) -> [HTTPRequest] { requests.filter { $0.path == path } }

    public var openConnectionCount: Int { state.withLock { $0.connections.count } }

    public var acceptedConnectionCount: Int { state.withLock { $0.acceptedConnections } }

    // MARK: Listening and stopping

    public func startListening() throws {
        if state.withLock(\.isStopping) { return }
        try listener.listen()
        let (listener, state, ended) = (listener, state, ended)
        state.withLock { shared in
            guard shared.acceptance == nil, !shared.isStopping else { return }
            let queue = DispatchQueue(label: "LoopbackServer")
            let acceptance = DispatchSource.makeReadSource(fileDescriptor: listener.descriptor, queue: queue)
            acceptance.setEventHandler { Connection.accept(from: listener, state, ended) }
            acceptance.setCancelHandler {
                listener.close()
                ended.leave()
            }
            ended.enter()
            acceptance.activate()
            shared.acceptance = acceptance
        }
    }

    /// Stops the server, and waits until the listening socket and all connections are closed.
    public func stop() {
        requestStop()
        ended.wait()
    }

    private func requestStop() {
        let (scripts, acceptance, isFirst) = state.withLock { state in
            defer {
                state.scripts = [:]
                state.isStopping = true
            }
            for socket in state.connections { socket.shutDown() }
            return (state.scripts, state.acceptance, !state.isStopping)
        }
        withExtendedLifetime(scripts) {}  // Releasing the closures under the lock could deadlock.
        guard isFirst else { return }
        if let acceptance { acceptance.cancel() } else { listener.close() }
    }
}
