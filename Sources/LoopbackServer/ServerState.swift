import Dispatch

// `@unchecked Sendable`: the server's lock guards the state.
struct ServerState: @unchecked Sendable {
    var scripts: [String: @Sendable (HTTPRequest) -> Response] = [:]
    var hits: [String: Int] = [:]
    var requests: [HTTPRequest] = []

    var acceptance: (any DispatchSourceRead)?
    /// The server removes a connection before it closes the file descriptor, because the system reuses file
    /// descriptors.
    var connections: Set<Socket> = []
    var acceptedConnections = 0
    var isStopping = false

    /// Call the returned script after unlocking, because the script may use the server.
    mutating func record(_ request: inout HTTPRequest) -> (@Sendable (HTTPRequest) -> Response)? {
        hits[request.path, default: 0] += 1
        request.hit = hits[request.path]!
        requests.append(request)
        return scripts[request.path]
    }

    /// Returns `false` if the server is stopping.
    mutating func add(_ connection: Socket, isAccepted: Bool = true) -> Bool {
        guard !isStopping else { return false }
        connections.insert(connection)
        if isAccepted { acceptedConnections += 1 }
        return true
    }
}
