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
/// The server uses one thread for each connection. If a path has no script, the server responds with 404. The server is
/// thread-safe.
///
/// The server supports HTTP/1.1, and request bodies that have a length or are chunked without trailers. After any other
/// input, it closes the connection.
public final class LoopbackServer: Sendable {
    /// The port of the server. The port is bound even before the server listens.
    public let port: UInt16

    private let listener: Socket
    private let state = Lock(ServerState())
    private let ended = DispatchGroup()

    /// Creates a server on an ephemeral port. By default, the server listens immediately.
    ///
    /// - Parameters:
    ///   - isListening: Whether to listen immediately. If `false`, clients get `ECONNREFUSED` until you call
    ///     ``startListening()``.
    ///   - onEveryAddress: Whether to listen on every address of the machine, for tests in a separate network
    ///     namespace.
    /// - Throws: ``SocketError``.
    public init(isListening: Bool = true, onEveryAddress: Bool = false) throws {
        listener = try Socket.bound(toEveryAddress: onEveryAddress)
        port = listener.port
        if isListening { try startListening() }
    }

    deinit { requestStop() }

    /// Returns the URL of a path.
    ///
    /// - Parameter path: The percent-encoded path with its leading slash, optionally with a query.
    /// - Returns: `http://127.0.0.1:PORT`, followed by the path.
    public func url(_ path: String) -> URL {
        URL(string: "http://127.0.0.1:\(port)\(path)")!
    }

    // MARK: Scripts

    /// Responds to the requests for a path with these responses, in order, and then repeats the last one. Requests
    /// before this call count: after one earlier request, the next request receives the second response.
    public func on(_ path: String, _ first: Response, _ others: Response...) {
        let responses = [first] + others
        on(path) { responses[min($0.hit, responses.count) - 1] }
    }

    /// Responds to each request for a path with the result of a closure.
    ///
    /// The closure runs on the threads of the connections, so several calls may run at the same time. The closure must
    /// not call ``stop()``, which waits for those threads.
    public func on(_ path: String, _ response: @escaping @Sendable (HTTPRequest) -> Response) {
        let replaced = state.withLock { $0.scripts.updateValue(response, forKey: path) }
        withExtendedLifetime(replaced) {}  // The replaced closure is released after unlocking.
    }

    // MARK: Requests

    /// Returns the number of complete requests for a path.
    public func hits(_ path: String) -> Int { state.withLock { $0.hits[path] ?? 0 } }

    /// All complete requests, in the order in which the server received them.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Returns the complete requests for a path, in the order in which the server received them.
    public func requests(_ path: String) -> [HTTPRequest] { requests.filter { $0.path == path } }

    /// The number of open connections.
    public var openConnectionCount: Int { state.withLock { $0.connections.count } }

    /// The number of connections accepted so far.
    public var acceptedConnectionCount: Int { state.withLock { $0.acceptedConnections } }

    // MARK: Listening and stopping

    /// Starts listening if the server isn't listening yet. Clients can connect when this method has returned.
    ///
    /// - Throws: ``SocketError``.
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

    /// Closes the port and every connection, and waits until all are closed. Idempotent.
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
        withExtendedLifetime(scripts) {}  // The closures are released after unlocking.
        guard isFirst else { return }
        if let acceptance { acceptance.cancel() } else { listener.close() }
    }
}
