import Dispatch

/// The state that the server's methods share with the threads of the connections.
// `@unchecked Sendable`: the server's lock guards the state. Dispatch doesn't declare sources as `Sendable`.
struct ServerState: @unchecked Sendable {
    var scripts: [String: @Sendable (HTTPRequest) -> Response] = [:]
    var hits: [String: Int] = [:]
    var requests: [HTTPRequest] = []

    /// The source that accepts connections, or `nil` before the server listens.
    var acceptance: (any DispatchSourceRead)?
    /// The open connections. A connection is removed before its file descriptor is closed, because the system reuses
    /// descriptors.
    var connections: Set<Socket> = []
    var acceptedConnections = 0
    var isStopping = false

    /// Counts and stores a request, and sets its `hit`.
    ///
    /// - Returns: The script for the request's path. The caller must not call the script while the lock is held.
    mutating func record(_ request: inout HTTPRequest) -> (@Sendable (HTTPRequest) -> Response)? {
        hits[request.path, default: 0] += 1
        request.hit = hits[request.path]!
        requests.append(request)
        return scripts[request.path]
    }

    /// Counts and stores a connection.
    ///
    /// - Returns: `false` if the server is stopping. The caller must then close the connection.
    mutating func add(_ connection: Socket) -> Bool {
        guard !isStopping else { return false }
        connections.insert(connection)
        acceptedConnections += 1
        return true
    }
}
