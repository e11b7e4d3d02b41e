import Foundation

/// What a terminal's descriptor is asked and told. The functions that differ between systems are in files of their own.
///
/// Signal handlers call these: nothing here may allocate, take a lock or initialise a global.
enum Terminal {
    /// Whether this process may write without disturbing another. Where the descriptor is not its controlling terminal,
    /// there is no background.
    static func isForeground(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }

    /// Whether the terminal would take bytes: not after Ctrl-S, nor while it is far behind.
    static func isWritable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let count = poll(&query, 1, milliseconds)
            if count >= 0 || errno != EINTR { return count != 0 }
        }
    }

    /// How many milliseconds a signal handler waits for a terminal that takes nothing, or for whoever waits for that one:
    /// long enough for a slow connection, short enough for a program that is to end. Computed, as handlers read it.
    static var patience: Int32 { 1000 }

    /// How many milliseconds the main thread waits for a terminal that takes nothing, or for whoever is at work on it: long
    /// enough for one that is about to be ready, short enough not to be noticed.
    static var briefPatience: Int32 { 50 }

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

    /// Takes back the SIGPIPE that a failed write has left pending on this thread, which blocks it.
    static func discardPendingSIGPIPE() {
        var pending = sigset_t()
        sigpending(&pending)
        guard sigismember(&pending, SIGPIPE) == 1 else { return }
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGPIPE)
        var signal: Int32 = 0
        sigwait(&set, &signal)
    }
}
