/// The state that the server's users and its thread share, behind one lock.
struct ServerState {
    enum Script {
        case answers([Answer])
        case closure(@Sendable (HTTPRequest) -> Answer)

        /// This can call a caller's closure. Don't call it under the lock.
        func answer(to request: HTTPRequest) -> Answer {
            switch self {
            case .answers(let answers): answers[min(request.hit, answers.count) - 1]
            case .closure(let closure): closure(request)
            }
        }
    }

    var scripts: [String: Script] = [:]
    var hits: [String: Int] = [:]
    var requests: [HTTPRequest] = []

    /// The bound socket. When the server's thread ends, it closes the socket and sets this to `nil`.
    var listener: Socket?
    var isListening = false
    /// When to begin to listen, if the start is delayed.
    var listensAt: SuspendingClock.Instant?
    var isStopping = false
    var openConnections = 0
    var acceptedConnections = 0

    /// Counts and stores a request.
    ///
    /// - Returns: The script of its path.
    mutating func record(_ request: inout HTTPRequest) -> Script? {
        hits[request.path, default: 0] += 1
        request.hit = hits[request.path]!
        requests.append(request)
        return scripts[request.path]
    }

    mutating func listen() throws(SocketError) {
        listensAt = nil
        guard !isListening, let listener else { return }
        try listener.listen()
        isListening = true
    }
}
