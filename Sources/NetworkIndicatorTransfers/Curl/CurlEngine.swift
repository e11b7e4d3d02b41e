#if canImport(FoundationNetworking)
import CLibcurl
import Foundation
import FoundationNetworking
import NetworkIndicator

/// Performs the transfers of one session on a thread of its own, which sleeps while there is nothing to do.
///
/// libcurl keeps the connections of an engine, and limits them for each host. A transfer that waits for a connection
/// holds no socket.
final class CurlEngine: Sendable {
    private enum Command {
        case add(CurlTransfer)
        case remove(CurlTransfer)
        case endRedirect(CurlTransfer)
    }

    private struct State {
        var commands: [Command] = []
        /// The time at which the thread last had nothing to do. `nil` while it waits.
        var latestWait: CurlTransfer.Instant?
        var isClosing = false
        /// Afterwards, `multi` doesn't exist.
        var isEnded = false
    }

    private let state = Lock(State())
    /// Only the thread uses this handle, apart from `ni_multi_wakeup`, which is called while the lock is held.
    nonisolated(unsafe) private let multi: NIMulti

    private init?(connectionsPerHost: Int) {
        guard let multi = ni_multi_init() else { return nil }
        self.multi = multi
        ni_multi_set_long(multi, Int32(NI_MULTI_MAX_HOST_CONNECTIONS), max(1, connectionsPerHost))
        ni_multi_set_long(multi, Int32(NI_MULTI_MAXCONNECTS), 64)
        let thread = Thread { self.run() }
        thread.name = "NetworkIndicator.CurlEngine"
        thread.start()
    }

    // MARK: Engines of sessions

    private struct Entry {
        weak var session: URLSession?
        let engine: CurlEngine
    }

    private static let engines = Lock<[ObjectIdentifier: Entry]>([:])

    /// Adds a transfer to the engine of a session.
    ///
    /// - Returns: The engine, or `nil` if libcurl is out of memory.
    static func add(_ transfer: CurlTransfer, to session: URLSession) -> CurlEngine? {
        while true {
            // A new session can have the address of a deallocated one.
            var engine = engines.withLock { engines in
                engines[ObjectIdentifier(session)].flatMap { $0.session === session ? $0.engine : nil }
            }
            if engine == nil {
                closeOrphans()
                let limit = session.configuration.httpMaximumConnectionsPerHost
                engine = engines.withLock { engines in
                    let entry = engines[ObjectIdentifier(session)]
                    let engine = entry?.engine ?? CurlEngine(connectionsPerHost: limit)
                    engines[ObjectIdentifier(session)] = engine.map { Entry(session: session, engine: $0) }
                    return engine
                }
            }
            guard let engine else { return nil }
            if engine.submit(.add(transfer)) { return engine }
            // Another thread has retired the engine.
            engine.retire()
        }
    }

    /// Later transfers of the session use another engine, and therefore other connections. This engine ends after its
    /// current transfers.
    func retire() {
        Self.engines.withLock { engines in
            if let key = engines.first(where: { $0.value.engine === self })?.key { engines[key] = nil }
        }
        close()
    }

    /// Ends the engines of deallocated sessions, because their connections could exhaust the file descriptors.
    private static func closeOrphans() {
        let (sessions, orphans) = engines.withLock { engines in
            let sessions = engines.mapValues(\.session)
            return (sessions, sessions.filter { $0.value == nil }.compactMap { engines.removeValue(forKey: $0.key) })
        }
        // `sessions` can hold the last references, which must not be released while the lock is held.
        withExtendedLifetime(sessions) { for orphan in orphans { orphan.engine.close() } }
    }

    private func close() {
        state.withLock { state in
            state.isClosing = true
            if !state.isEnded { ni_multi_wakeup(multi) }
        }
    }

    // MARK: Commands

    func remove(_ transfer: CurlTransfer) { _ = submit(.remove(transfer)) }

    func endRedirect(_ transfer: CurlTransfer) { _ = submit(.endRedirect(transfer)) }

    /// - Returns: `false` if the engine has ended.
    private func submit(_ command: Command) -> Bool {
        state.withLock { state in
            if state.isEnded { return false }
            state.commands.append(command)
            if state.commands.count == 1 { ni_multi_wakeup(multi) }
            return true
        }
    }

    /// The present, unless the thread is busy, for example because a disk is slow. In this case, data that the thread
    /// hasn't read may have arrived since the returned time.
    var latestReading: CurlTransfer.Instant { state.withLock(\.latestWait) ?? .now }

    // MARK: The thread

    private func run() {
        // A write to a closed TLS connection causes this signal, in spite of `CURLOPT_NOSIGNAL`.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var transfers: [NIEasy: CurlTransfer] = [:]
        var isIdle = false
        while let commands = nextCommands(isLast: transfers.isEmpty) {
            for command in commands { perform(command, &transfers) }
            ni_multi_perform(multi)
            var code: Int32 = 0
            while let easy = ni_multi_next_ended(multi, &code) {
                ni_multi_remove(multi, easy)
                transfers.removeValue(forKey: easy)?.end(code)
            }
            // Looks once for a deallocated session after the last transfer, and then sleeps until there is a command.
            if transfers.isEmpty, isIdle { Self.closeOrphans() }
            let pause: Int32 = transfers.isEmpty && isIdle ? .max : 1_000
            isIdle = transfers.isEmpty
            if beginWait() { ni_multi_poll(multi, pause) }
        }
        ni_multi_cleanup(multi)
    }

    private func beginWait() -> Bool {
        state.withLock { state in
            state.latestWait = nil
            return state.commands.isEmpty && !state.isClosing
        }
    }

    private func nextCommands(isLast: Bool) -> [Command]? {
        let now = CurlTransfer.Instant.now
        return state.withLock { state in
            state.latestWait = now
            if isLast, state.isClosing, state.commands.isEmpty {
                state.isEnded = true
                return nil
            }
            defer { state.commands = [] }
            return state.commands
        }
    }

    private func perform(_ command: Command, _ transfers: inout [NIEasy: CurlTransfer]) {
        switch command {
        case .add(let transfer):
            guard let easy = transfer.open() else { break }
            transfers[easy] = transfer
            ni_multi_add(multi, easy)
        case .remove(let transfer):
            // Removing a transfer whose host is being looked up would wait for the lookup, and delay all transfers.
            // Such a transfer ends when its first socket is opened.
            guard let easy = transfer.easy else { break }
            if transfer.isResolving {
                ni_easy_set_long(easy, Int32(NI_OPT_CONNECTTIMEOUT_MS), 1_000_000_000)
                break
            }
            transfers[easy] = nil
            ni_multi_remove(multi, easy)
            transfer.close()
        case .endRedirect(let transfer):
            guard let easy = transfer.easy else { break }
            transfers[easy] = nil
            ni_multi_remove(multi, easy)
            transfer.end(0)
        }
    }
}
#endif
