import Foundation

/// System calls on a descriptor that may be a terminal.
enum Terminal {
    /// Whether this process may write without disturbing another one. If the descriptor is not the controlling
    /// terminal, there is no background.
    static func isForeground(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }

    /// The size of the terminal's window; zeros if it is unknown.
    static func windowSize(of descriptor: Int32) -> (columns: Int, rows: Int) {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? (Int(size.ws_col), Int(size.ws_row)) : (0, 0)
    }

    /// The number of bytes of typed and echoed lines that are still unread. This call doesn't read them.
    static func typedBytes(on descriptor: Int32, _ settings: termios) -> Int {
        let flags = tcflag_t(ICANON) | tcflag_t(ECHO)
        guard settings.c_lflag & flags == flags else { return 0 }
        #if canImport(Darwin)
        let request: UInt = 0x4004_667F  // FIONREAD, which Swift doesn't import
        #else
        let request = UInt(FIONREAD)
        #endif
        var count: Int32 = 0
        return ioctl(descriptor, request, &count) == 0 ? Int(count) : 0
    }

    /// Opens the terminal of a descriptor for writes that don't block. Returns `nil` if the user may not open it.
    static func openWithoutBlocking(_ descriptor: Int32) -> Int32? {
        var name = [CChar](repeating: 0, count: 1_024)
        guard ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
        let own = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        return own < 0 ? nil : own
    }

    /// Waits until the descriptor accepts bytes. A terminal accepts none after Ctrl-S, or while its buffer is full.
    ///
    /// - Parameter milliseconds: The time limit; -1 means none.
    /// - Returns: `.written` if it accepts bytes, `.failed` if nothing can read them any more.
    static func wait(for descriptor: Int32, within milliseconds: Int32) -> TerminalOutcome {
        var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        var count: Int32
        repeat { count = poll(&query, 1, milliseconds) } while count < 0 && errno == EINTR
        if count == 0 { return .busy }
        // macOS returns POLLNVAL for /dev/tty. Writing to a closed descriptor fails anyway.
        return Int32(query.revents) & (POLLERR | POLLHUP) == 0 ? .written : .failed
    }

    static func isPipe(_ descriptor: Int32) -> Bool {
        var information = stat()
        return fstat(descriptor, &information) == 0 && information.st_mode & S_IFMT == S_IFIFO
    }

    /// Runs `body` with SIGTTOU blocked or unblocked on this thread.
    ///
    /// - Parameter change: `SIG_BLOCK` or `SIG_UNBLOCK`.
    static func maskingSIGTTOU<R, E: Error>(_ change: Int32, _ body: () throws(E) -> R) throws(E) -> R {
        var set = sigset_t()
        var earlier = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTTOU)
        pthread_sigmask(change, &set, &earlier)
        defer { pthread_sigmask(SIG_SETMASK, &earlier, nil) }
        return try body()
    }
}
