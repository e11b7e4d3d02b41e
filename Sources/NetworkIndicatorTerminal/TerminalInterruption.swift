import Foundation

extension TerminalIndicator {
    /// Erases the row and the terminal's own progress bar before SIGINT, SIGTERM or SIGHUP ends the program. Without
    /// this call, the row stays on the screen after Ctrl-C.
    ///
    /// A signal that the program ignores, or for which it has a handler, isn't affected. For the other signals, this
    /// method installs a handler for the whole process. After a signal, no indicator draws, a thread erases the row,
    /// gives the signal its default action, and raises the signal again. A shell therefore reports that the signal
    /// ended the program: the exit status is 130 after Ctrl-C. The end takes about 20 ms. It waits for a slow terminal
    /// for at most 2 s, and for at most 0.3 s if the terminal accepts no output. A blocked main thread doesn't delay
    /// the end. The program's `defer` statements and `atexit` functions don't run.
    ///
    /// Child processes start with the default actions. This method is thread-safe and idempotent, and one call suffices
    /// for all indicators.
    public nonisolated func eraseOnInterruption() { TerminalInterruption.handleSignals() }
}

/// Erases the row when SIGINT, SIGTERM or SIGHUP is about to end the program.
///
/// A signal handler must not acquire locks, so the handler only writes the signal's number to a pipe, and a thread
/// erases the row. A Dispatch signal source would need an ignored signal, and child processes inherit ignored signals.
enum TerminalInterruption {
    /// A process that `fork` created shares the pipe with its parent, and has no thread that reads the pipe.
    private static let process = getpid()

    /// The end of the pipe to which the handler writes, or -1 if there are no free descriptors.
    private static let channel: Int32 = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return -1 }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let output = ends[0]
        Thread.detachNewThread {
            blockSignals()
            if let number = next(in: output) { end(by: number, output) }
        }
        return ends[1]
    }()

    /// Handles the signals that have their default action.
    static func handleSignals() {
        // The static properties must be initialized before the handler reads them.
        guard process == getpid(), channel >= 0 else { return }
        for number in [SIGINT, SIGTERM, SIGHUP] where isDefault(number) { signal(number) { Self.receive($0) } }
    }

    private static func isDefault(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
        return action.__sigaction_u.__sa_handler == nil
        #else
        return action.__sigaction_handler.sa_handler == nil
        #endif
    }

    // MARK: In the signal handler

    private static func receive(_ number: Int32) {
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        // The program may have closed all its descriptors.
        if process != getpid() || write(channel, &byte, 1) < 0 && errno != EAGAIN { raiseByDefault(number) }
        errno = error
    }

    /// In the signal handler, the signal stays pending until the handler returns.
    private static func raiseByDefault(_ number: Int32) {
        signal(number, SIG_DFL)
        raise(number)
    }

    // MARK: In the thread

    /// The program's other threads must receive its signals. A fault of this thread ends the program nevertheless.
    private static func blockSignals() {
        var set = sigset_t()
        sigfillset(&set)
        pthread_sigmask(SIG_SETMASK, &set, nil)
    }

    private static func next(in output: Int32) -> Int32? {
        var byte: UInt8 = 0
        return read(output, &byte, 1) == 1 ? Int32(byte) : nil
    }

    /// Ctrl-C discards the output that the terminal hasn't read yet, and may write `^C` behind an erasure. This method
    /// therefore erases the row after 20 ms without a signal.
    private static func end(by number: Int32, _ output: Int32) {
        let limit = SuspendingClock().now.advanced(by: .seconds(2))
        var query = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        while SuspendingClock().now < limit, poll(&query, 1, 20) > 0, next(in: output) != nil {}
        TerminalScreen.standardError.end(within: 300, limit)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raiseByDefault(number)
        // The default action of a signal doesn't terminate process 1 of a container.
        _exit(128 + number)
    }
}
