import Foundation

/// System calls on a terminal's descriptor. The files `Terminal+….swift` contain those that differ between systems.
///
/// Signal handlers call them, so they must not allocate, take a lock or initialise a global.
enum Terminal {
    /// Whether this process may write without disturbing another one. If the descriptor is not the controlling
    /// terminal, there is no background.
    static func isForeground(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }

    /// The number of bytes of typed and echoed lines that are still unread. This call doesn't read them.
    static func typedBytes(on descriptor: Int32) -> Int {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0, settings.c_lflag & tcflag_t(ICANON) != 0,
            settings.c_lflag & tcflag_t(ECHO) != 0
        else { return 0 }
        return readableBytes(of: descriptor)
    }

    /// Whether the terminal accepts bytes. It doesn't after Ctrl-S, or while its buffer is full.
    static func isWritable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let count = poll(&query, 1, milliseconds)
            if count >= 0 || errno != EINTR { return count != 0 }
        }
    }

    /// How many milliseconds a signal handler waits for a blocked terminal, or for a thread that writes to it: enough
    /// for a slow connection. It is computed, because a handler must not initialise a global.
    static var timeout: Int32 { 1000 }

    /// How many milliseconds the main thread waits for a blocked terminal, or for a thread that writes to it: too short
    /// to be noticeable.
    static var briefTimeout: Int32 { 50 }

    /// Runs `body` with some signals blocked on this thread.
    static func blocking<R>(_ signals: [Int32], _ body: () -> R) -> R {
        var blocked = sigset_t()
        var earlier = sigset_t()
        sigemptyset(&blocked)
        for signal in signals { sigaddset(&blocked, signal) }
        pthread_sigmask(SIG_BLOCK, &blocked, &earlier)
        defer { pthread_sigmask(SIG_SETMASK, &earlier, nil) }
        return body()
    }

    /// Runs `body` with a signal unblocked on this thread.
    static func unblocking<R, E: Error>(_ signal: Int32, _ body: () throws(E) -> R) throws(E) -> R {
        var unblocked = sigset_t()
        var earlier = sigset_t()
        sigemptyset(&unblocked)
        sigaddset(&unblocked, signal)
        pthread_sigmask(SIG_UNBLOCK, &unblocked, &earlier)
        defer { pthread_sigmask(SIG_SETMASK, &earlier, nil) }
        return try body()
    }

    #if !canImport(Darwin)
    /// Writes without causing a SIGPIPE if nothing reads. The signal goes to this thread, and the caller has blocked it
    /// there.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        let count = Foundation.write(descriptor, bytes.baseAddress, bytes.count)
        if count < 0, errno == EPIPE { discardPendingSIGPIPE() }
        return count
    }

    private static func discardPendingSIGPIPE() {
        var pending = sigset_t()
        sigpending(&pending)
        guard sigismember(&pending, SIGPIPE) == 1 else { return }
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGPIPE)
        var signal: Int32 = 0
        sigwait(&set, &signal)
    }
    #endif
}
