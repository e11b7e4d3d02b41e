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
    enum Command {
        case add(CurlTransfer)
        case remove(CurlTransfer)
    }

    private struct State {
        var commands: [Command] = []
        /// The time at which the thread last had nothing to do. `nil` while it waits.
        var latestWait: CurlTransfer.Instant?
        /// The number of transfers that have this engine.
        var users = 0
        /// Set only while the engine has no transfer.
        var isClosing = false
    }

    private let state = Lock(State())
    /// Only the thread uses this handle, apart from `ni_multi_wakeup`.
    nonisolated(unsafe) let multi: NIMulti
    /// Transfers that let others continue after a slow write. Only the thread uses this property.
    nonisolated(unsafe) var paused: [CurlTransfer] = []
    /// Origins that have accepted a password with Basic. Other requests send it at once, and not only after a 401. Only
    /// the thread uses this property.
    nonisolated(unsafe) var basicOrigins: Set<String> = []

    private init?(connectionsPerHost: Int) {
        guard let multi = ni_multi_init() else { return nil }
        self.multi = multi
        ni_multi_set_long(multi, Int32(NI_MULTI_MAX_HOST_CONNECTIONS), max(1, connectionsPerHost))
        ni_multi_set_long(multi, Int32(NI_MULTI_MAXCONNECTS), 64)
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let failure = pthread_create(
            &thread, nil,
            {
                Unmanaged<CurlEngine>.fromOpaque($0!).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard failure == 0 else {
            context.release()
            ni_multi_cleanup(multi)
            return nil
        }
        pthread_detach(thread)
    }

    // MARK: Engines of sessions

    private struct Entry {
        weak var session: URLSession?
        let engine: CurlEngine
    }

    private static let engines = Lock<[ObjectIdentifier: Entry]>([:])

    /// The caller passes the engine to one transfer, which calls ``endUse()``.
    ///
    /// - Returns: `nil` if memory, threads or file descriptors are exhausted.
    static func use(for session: URLSession) -> CurlEngine? {
        let key = ObjectIdentifier(session)
        // A new session can have the address of a deallocated one.
        let engine = engines.withLock { $0[key].flatMap { $0.session === session ? $0.engine.used() : nil } }
        if let engine { return engine }
        closeUnused()
        // After the beginning of `exit`, this call doesn't return, so it must not hold the lock.
        let new = CurlEngine(connectionsPerHost: session.configuration.httpMaximumConnectionsPerHost)
        return engines.withLock { engines in
            let engine = engines[key]?.engine ?? new
            engines[key] = engine.map { Entry(session: session, engine: $0) }
            if engine !== new { new?.closeIfUnused() }
            return engine?.used()
        }
    }

    private func used() -> CurlEngine {
        state.withLock { $0.users += 1 }
        return self
    }

    func endUse() { state.withLock { $0.users -= 1 } }

    /// Ends the engines of deallocated sessions, because their connections could exhaust the file descriptors.
    ///
    /// - Parameter idle: An engine that also ends, because libcurl doesn't notice that servers close its connections.
    static func closeUnused(_ idle: CurlEngine? = nil) {
        let sessions = engines.withLock { engines in
            let sessions = engines.mapValues(\.session)
            engines = engines.filter { key, entry in
                (sessions[key] != .some(nil) && entry.engine !== idle) || !entry.engine.closeIfUnused()
            }
            return sessions
        }
        // These can be the last references, which must not be released while the lock is held.
        withExtendedLifetime(sessions) {}
    }

    /// - Returns: `false` if a transfer has this engine.
    @discardableResult private func closeIfUnused() -> Bool {
        state.withLock { state in
            if state.users > 0 { return false }
            state.isClosing = true
            ni_multi_wakeup(multi)
            return true
        }
    }

    // MARK: Commands

    func submit(_ command: Command) {
        state.withLock { state in
            precondition(!state.isClosing, "A transfer has an engine that has ended")
            state.commands.append(command)
            if state.commands.count == 1 { ni_multi_wakeup(multi) }
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
        var wasIdle = false
        while let commandCount = performCommands(&transfers) {
            ni_multi_perform(multi)
            var code: Int32 = 0
            while let easy = ni_multi_next_ended(multi, &code) {
                transfers.removeValue(forKey: easy)?.end(code)
            }
            if wasIdle, commandCount == 0 { Self.closeUnused(self) }
            wasIdle = transfers.isEmpty
            // Otherwise, an earlier wakeup would look like the end of the time of an idle engine.
            if wasIdle { ni_multi_poll(multi, 0) }
            if beginWait() { ni_multi_poll(multi, pollInterval(isIdle: wasIdle)) }
        }
        ni_multi_cleanup(multi)
        ni_end_thread()
    }

    /// The number of milliseconds after which the thread looks at its transfers without being woken, or after which an
    /// engine without transfers ends.
    private func pollInterval(isIdle: Bool) -> Int32 {
        if !paused.isEmpty { return 0 }
        return isIdle ? 15_000 : 1_000
    }

    private func beginWait() -> Bool {
        state.withLock { state in
            state.latestWait = nil
            return state.commands.isEmpty && !state.isClosing
        }
    }

    private func nextCommands() -> [Command]? {
        let now = CurlTransfer.Instant.now
        return state.withLock { state in
            state.latestWait = now
            defer { state.commands = [] }
            return state.isClosing ? nil : state.commands
        }
    }

    /// Returns `nil` if the engine ends. While the thread waits, nothing here retains a transfer and its session.
    private func performCommands(_ transfers: inout [NIEasy: CurlTransfer]) -> Int? {
        guard let commands = nextCommands() else { return nil }
        for command in commands { perform(command, &transfers) }
        // A paused transfer can be paused again.
        let resumed = paused
        paused = []
        for transfer in resumed { if let easy = transfer.easy { ni_easy_resume(easy) } }
        return commands.count
    }

    private func perform(_ command: Command, _ transfers: inout [NIEasy: CurlTransfer]) {
        switch command {
        case .add(let transfer):
            guard let easy = transfer.open(), ni_multi_add(multi, easy) == 0 else { return transfer.end(27) }
            transfers[easy] = transfer
        case .remove(let transfer):
            // Removing a transfer whose host is being looked up would wait for the lookup, and delay all transfers.
            // Such a transfer ends when its first socket is opened.
            guard let easy = transfer.easy else { break }
            if transfer.isResolving {
                transfer.setTimeout(NI_OPT_CONNECTTIMEOUT_MS, 1e6)
                break
            }
            // The connection may no longer respond.
            if let silence = transfer.silence(until: .now), silence >= .seconds(transfer.request.timeoutInterval) {
                ni_easy_set_long(easy, Int32(NI_OPT_FORBID_REUSE), 1)
            }
            transfers[easy] = nil
            transfer.close()
        }
    }
}
#endif
