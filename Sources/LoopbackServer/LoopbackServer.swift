public import Foundation
import NetworkIndicator

/// An HTTP/1.1 server on 127.0.0.1 with scripted responses and faults, for tests and demonstrations.
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
/// The server uses one thread for each connection. It responds to paths without a script with 404. The server is
/// thread-safe.
///
/// The server supports HTTP/1.1, and request bodies that have a length or are chunked without trailers. After any other
/// input, it closes the connection.
public final class LoopbackServer: Sendable {
    /// The port of the server. It is bound even before the server listens.
    public let port: UInt16

    private let listener: Socket
    private let state = Lock(ServerState())
    private let ended = DispatchGroup()

    /// Creates a server on an ephemeral port, and starts serving.
    ///
    /// - Parameters:
    ///   - isListening: Pass `false` to refuse connections (`ECONNREFUSED`) until ``startListening()`` is called.
    ///   - onEveryAddress: Whether to serve at every address of the machine, for tests in a separate network namespace.
    /// - Throws: ``SocketError``.
    public init(isListening: Bool = true, onEveryAddress: Bool = false) throws {
        listener = try Socket.bound(toEveryAddress: onEveryAddress)
        port = listener.port
        if isListening { try startListening() }
    }

    deinit { requestStop() }

    /// Returns the URL of a path.
    ///
    /// - Parameter path: The percent-encoded path with its leading slash. A query may follow.
    /// - Returns: `http://127.0.0.1:PORT` and the path.
    public func url(_ path: String) -> URL {
        URL(string: "http://127.0.0.1:\(port)\(path)")!
    }

    // MARK: Scripts

    /// Sends these responses to the requests of a path, in order. The last response is repeated. Requests before this
    /// call count. After one such request, for example, the next request receives the second response.
    public func on(_ path: String, _ first: Response, _ others: Response...) {
        let responses = [first] + others
        on(path) { responses[min($0.hit, responses.count) - 1] }
    }

    /// Sends the result of a closure to each request of a path.
    ///
    /// The closure runs on the thread of each connection, so several calls may run at the same time. It must not stop
    /// the server.
    public func on(_ path: String, _ response: @escaping @Sendable (HTTPRequest) -> Response) {
        let replaced = state.withLock { $0.scripts.updateValue(response, forKey: path) }
        withExtendedLifetime(replaced) {}  // releases a closure after unlocking
    }

    // MARK: Requests

    /// Returns the number of complete requests of a path.
    public func hits(_ path: String) -> Int { state.withLock { $0.hits[path] ?? 0 } }

    /// All complete requests, in the order in which the server received them.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Returns the complete requests of one path, in the order in which the server received them.
    public func requests(_ path: String) -> [HTTPRequest] { requests.filter { $0.path == path } }

    /// The number of open connections.
    public var openConnectionCount: Int { state.withLock { $0.connections.count } }

    /// The number of connections accepted so far.
    public var acceptedConnectionCount: Int { state.withLock { $0.acceptedConnections } }

    // MARK: Listening and stopping

    /// Starts listening if the server isn't listening yet. After the call returns, clients can connect.
    public func startListening() throws {
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

    /// Closes the port and every connection, and waits until they are closed. Idempotent.
    ///
    /// Deallocating the server stops it asynchronously.
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
        withExtendedLifetime(scripts) {}  // releases closures after unlocking
        guard isFirst else { return }
        if let acceptance { acceptance.cancel() } else { listener.close() }
    }
}
