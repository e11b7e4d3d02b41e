import Dispatch

/// The state that the server's users and the threads of its connections share, behind one lock.
// `@unchecked Sendable`: the lock guards it. Dispatch doesn't declare sources as `Sendable`.
struct ServerState: @unchecked Sendable {
    var scripts: [String: @Sendable (HTTPRequest) -> Response] = [:]
    var hits: [String: Int] = [:]
    var requests: [HTTPRequest] = []

    /// The source that accepts connections; `nil` until the server listens.
    var acceptance: (any DispatchSourceRead)?
    /// The open connections. A connection is removed before its descriptor is closed.
    var connections: Set<Socket> = []
    var acceptedConnections = 0
    var isStopping = false

    /// Counts and stores a request.
    ///
    /// - Returns: The script of its path. Don't call it under the lock.
    mutating func record(_ request: inout HTTPRequest) -> (@Sendable (HTTPRequest) -> Response)? {
        hits[request.path, default: 0] += 1
        request.hit = hits[request.path]!
        requests.append(request)
        return scripts[request.path]
    }

    /// Counts a connection.
    ///
    /// - Returns: `false` if the server has stopped, and the connection must be closed.
    mutating func add(_ connection: Socket) -> Bool {
        guard !isStopping else { return false }
        connections.insert(connection)
        acceptedConnections += 1
        return true
    }
}
