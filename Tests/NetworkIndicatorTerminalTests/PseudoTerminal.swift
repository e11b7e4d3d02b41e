#if canImport(Glibc)
import Foundation
import Glibc
import NetworkIndicator
import TestSupport
import Testing

final class PseudoTerminal: Sendable {
    struct NeverHappened: Error {
        let expectation: String
        let rows: [String]
        let events: [String]
        let end: String
    }

    private let state = Lock(TerminalState())
    private let changes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let master: Int32
    private let slave: Int32
    private let shell: Int32
    private let job: Int32
    private let pid: pid_t
    // `nonisolated(unsafe)`: only `init` changes the array. Dispatch sources are thread-safe.
    nonisolated(unsafe) private var sources: [any DispatchSourceProtocol] = []

    /// - Parameter options: `echo`, `tostop`, `slow` to read 3 kB/s, `plain` for an indicator that writes lines,
    ///   `table` for one with 20 rows, and those of `Shell`.
    init(_ options: Set<String> = []) throws {
        (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        var name = [CChar](repeating: 0, count: 128)
        var ends: (Int32, Int32) = (-1, -1)
        guard openpty(&ends.0, &ends.1, &name, nil, nil) == 0 else { throw POSIXError(.ENOTTY) }
        master = Self.moved(ends.0)
        slave = Self.moved(ends.1)
        let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        var settings = termios()
        tcgetattr(slave, &settings)
        if !options.contains("echo") { settings.c_lflag &= ~tcflag_t(ECHO) }
        if options.contains("tostop") { settings.c_lflag |= tcflag_t(TOSTOP) }
        tcsetattr(slave, TCSANOW, &settings)
        let (shell, itsSocket) = Self.socketPair()
        let (job, jobsSocket) = Self.socketPair()
        (self.shell, self.job) = (shell, job)
        pid = try Self.spawn(terminal: path, sockets: [itsSocket, jobsSocket], options)
        close(itsSocket)
        close(jobsSocket)

        var size = winsize(ws_row: 30, ws_col: 40, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        let queue = DispatchQueue(label: "terminal")
        listen(to: master, on: queue, isSlow: options.contains("slow")) { $0.receiveOutput($1) }
        listen(to: job, on: queue) { $0.receiveLines($1, from: "job") }
        listen(to: shell, on: queue) { $0.receiveLines($1, from: "shell") }
    }

    deinit {
        for source in sources { source.cancel() }
        close(slave)
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    static func spinning(before commands: [String] = [], _ options: Set<String> = []) async throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(options)
        for command in commands { try await terminal.tell(command) }
        try await terminal.tell("show")
        try await terminal.until("a spinner") { $0.shows("Fetching") }
        return terminal
    }

    // MARK: Actions

    func type(_ text: String) { _ = Glibc.write(master, text, text.utf8.count) }

    func write(_ text: String) { _ = Glibc.write(slave, text, text.utf8.count) }

    /// Until the returned closure is called, the terminal reads nothing.
    func stopReading() -> @Sendable () -> Void {
        nonisolated(unsafe) let source = sources[0]
        source.suspend()
        return { source.resume() }
    }

    func hangUp() { sources[0].cancel() }

    /// Types Ctrl-Z.
    func stop() async throws -> TerminalState {
        let count = try await drained().events.count
        type("\u{1A}")
        try await until("the job stops") { $0.events.dropFirst(count).contains("stopped \(SIGTSTP)") }
        return try await drained()
    }

    @discardableResult
    func tell(_ command: String) async throws -> String {
        let word = command.prefix { $0 != " " } + " "
        let count = try await until("the job has started") { $0.job != nil }.events.count { $0.hasPrefix(word) }
        order(command)
        let state = try await until("the result of \(command)") { $0.events.count { $0.hasPrefix(word) } > count }
        return String(state.events.last { $0.hasPrefix(word) }?.dropFirst(word.count) ?? "")
    }

    func order(_ command: String) { _ = Glibc.write(job, command + "\n", command.utf8.count + 1) }

    func tellShell(_ command: String) { _ = Glibc.write(shell, command + "\n", command.utf8.count + 1) }

    func signal(_ signal: Int32) async throws {
        let state = try await until("the job has started") { $0.job != nil }
        kill(try #require(state.job), signal)
    }

    @discardableResult
    func until(
        _ expectation: String, evenAfterTheEnd: Bool = false, _ condition: (TerminalState) -> Bool
    ) async throws -> TerminalState {
        var iterator = changes.makeAsyncIterator()
        while true {
            // Copying the state makes the next mutation copy the whole buffer, so only a matching state is copied.
            let (current, isOver) = state.withLock { (condition($0) ? $0 : nil, $0.isOver) }
            if let current { return current }
            if evenAfterTheEnd || !isOver, await iterator.next() != nil { continue }
            let last = state.withLock { $0 }
            throw NeverHappened(
                expectation: expectation, rows: last.screen.rows.suffix(24), events: last.events,
                end: String(last.text.suffix(1000)))
        }
    }

    func end() async throws -> TerminalState {
        try await until("the job ends") { $0.isOver }
        return try await drained()
    }

    /// Returns after the terminal has processed everything that was typed. A Ctrl-C that it processes later would
    /// discard the marker of ``drained()``.
    func processInput() async {
        type("\n")
        var count: Int32 = 0
        while ioctl(slave, UInt(FIONREAD), &count) == 0, count == 0 { await Task.yield() }
    }

    func drained() async throws -> TerminalState {
        let count = state.withLock { $0.markerCount }
        write(TerminalState.marker)
        return try await until("the marker comes through", evenAfterTheEnd: true) { $0.markerCount > count }
    }

    // MARK: Implementation

    private func listen(
        to descriptor: Int32, on queue: DispatchQueue, isSlow: Bool = false,
        _ note: @escaping @Sendable (inout TerminalState, ArraySlice<UInt8>) -> Void
    ) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        let isShell = descriptor == shell
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        source.setEventHandler { [state, continuation] in
            var buffer = [UInt8](repeating: 0, count: isSlow ? 150 : 4096)
            var (count, error) = (0, Int32(0))
            if isSlow { usleep(50_000) }
            repeat {
                count = read(descriptor, &buffer, buffer.count)
                error = errno
                state.withLock { note(&$0, buffer.prefix(max(0, count))) }
                continuation.yield()
            } while count > 0 && !isSlow || count < 0 && error == EINTR
            if count == 0 || count < 0 && error != EAGAIN {
                source.cancel()
                if isShell { state.withLock { $0.isOver = true } }
            }
            continuation.yield()
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        sources.append(source)
    }

    private static func socketPair() -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        return (moved(ends[0]), moved(ends[1]))
    }

    private static func moved(_ descriptor: Int32) -> Int32 {
        defer { close(descriptor) }
        return fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
    }

    private static func spawn(terminal: String, sockets: [Int32], _ options: Set<String>) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID
        posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        // The first terminal that a session leader opens becomes the session's controlling terminal.
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        for (number, socket) in sockets.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, socket, Int32(3 + number))
        }
        let program = WatchedProcess.url(of: "TerminalHost").path
        var arguments = ([program, "shell"] + options).map { strdup($0) } + [nil]
        // Without `SWIFT_BACKTRACE=enable=no`, Swift's crash handler would handle SIGQUIT.
        var environment = ["LC_ALL=C.UTF-8", "TERM=xterm-256color", "WT_SESSION=1", "SWIFT_BACKTRACE=enable=no"]
        if options.contains("plain") { environment.append("CI=1") }
        if options.contains("table") { environment.append("TABLE=1") }
        for name in ["PATH", "LD_LIBRARY_PATH", "TSAN_OPTIONS"] {
            if let value = ProcessInfo.processInfo.environment[name] { environment.append("\(name)=\(value)") }
        }
        var variables = environment.map { strdup($0) } + [nil]
        defer {
            for string in arguments + variables { free(string) }
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        var pid = pid_t()
        let error = posix_spawn(&pid, program, &actions, &attributes, &arguments, &variables)
        guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
        return pid
    }
}
#endif
