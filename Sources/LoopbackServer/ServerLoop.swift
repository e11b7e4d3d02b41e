import Foundation
import NetworkIndicator

/// The server's thread. It accepts connections, waits with `poll`, and advances the connections.
final class ServerLoop {
    private let state: Lock<ServerState>
    private let wakeup: Wakeup
    private var connectionsToReset: Int
    private var connections: [Connection] = []
    private var acceptsAgainAt: SuspendingClock.Instant?

    init(state: Lock<ServerState>, wakeup: Wakeup, resettingFirst: Int) {
        self.state = state
        self.wakeup = wakeup
        connectionsToReset = resettingFirst
    }

    func run() {
        while !state.withLock({ $0.isStopping }) {
            let listener = currentListener()
            var entries = [pollfd(fd: wakeup.readEnd, events: Int16(POLLIN), revents: 0)]
            entries += connections.map { pollfd(fd: $0.socket.descriptor, events: $0.interest, revents: 0) }
            if let listener { entries.append(pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)) }
            let count = poll(&entries, nfds_t(entries.count), timeoutMilliseconds())

            if entries[0].revents != 0 { wakeup.clear() }
            let now = SuspendingClock().now
            for (connection, entry) in zip(connections, entries.dropFirst()) {
                connection.handle(count > 0 ? entry.revents : 0, now: now)
            }
            connections.removeAll(where: \.isClosed)
            if let listener, count > 0, entries.last!.revents != 0 { accept(from: listener) }
            state.withLock { $0.openConnections = connections.count }
        }
        for connection in connections { connection.close() }
        connections = []  // breaks the cycle: connections hold the loop
        state.withLock { state in
            state.listener?.close()
            state.listener = nil
            state.openConnections = 0
        }
    }

    /// Returns the listening socket, if the loop must poll it. Begins to listen if that is due.
    private func currentListener() -> Socket? {
        let now = SuspendingClock().now
        if let again = acceptsAgainAt {
            guard again <= now else { return nil }
            acceptsAgainAt = nil
        }
        return state.withLock { state in
            // If this fails, the port was lost, and the system refuses connections.
            if let due = state.listensAt, due <= now { try? state.listen() }
            return state.isListening ? state.listener : nil
        }
    }

    private func timeoutMilliseconds() -> Int32 {
        let listensAt = state.withLock { $0.listensAt }
        let wakes = connections.compactMap(\.wakesAt) + [acceptsAgainAt, listensAt].compactMap { $0 }
        guard let next = wakes.min() else { return -1 }
        let (seconds, attoseconds) = SuspendingClock().now.duration(to: next).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        // Rounded up: waking too early would cause a busy loop.
        return Int32(min(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000, 60_000))
    }

    private func accept(from listener: Socket) {
        while let socket = listener.accept() {
            let number = state.withLock { state in
                state.acceptedConnections += 1
                return state.acceptedConnections
            }
            if connectionsToReset > 0 {
                connectionsToReset -= 1
                socket.reset()
            } else {
                connections.append(Connection(socket: socket, number: number, answer: answer))
            }
        }
        // The system has no descriptors or buffers left. The listener stays readable, so polling it would cause a busy
        // loop.
        if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS {
            acceptsAgainAt = SuspendingClock().now.advanced(by: .milliseconds(20))
        }
    }

    private func answer(to request: inout HTTPRequest) -> Answer {
        let script = state.withLock { $0.record(&request) }
        return script?.answer(to: request) ?? .status(404)
    }
}
