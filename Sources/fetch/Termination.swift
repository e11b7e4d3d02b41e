import Foundation

/// Ends the program with its exit status, or by a signal after the work has been cancelled.
///
/// The parent process can read the signal from the exit status. The signals are blocked in every thread, and one thread
/// waits for them, so the reaction to them is ordinary code. At the end, the signal is raised again, and the
/// indicator's own handler runs.
final class Termination: Sendable {
    private struct State {
        var signal: Int32?
        var work: Task<Void, Never>?
    }

    private let state = Locked(State())

    /// Whether SIGPIPE was ignored when the program began. If so, a closed output does not end the program.
    let ignoresLostReaders = isIgnored(SIGPIPE)

    /// How long cancelled work may take.
    private static let timeout = Duration.seconds(3)

    /// Whether a signal is ending the program.
    var isUnderWay: Bool { state.withLock { $0.signal != nil } }

    /// Takes over SIGINT, SIGTERM and SIGHUP, except those that are ignored. Call this before there are other threads.
    func takeOver() {
        // `write` then fails with EPIPE. The program has no child processes that would inherit this.
        signal(SIGPIPE, SIG_IGN)
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] where !Self.isIgnored(number) { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let awaited = signals
        let thread = Thread { [self] in
            begin(by: Self.next(of: awaited))
            // A second signal ends the program at once.
            Self.die(by: Self.next(of: awaited))
        }
        thread.name = "fetch.signals"
        thread.start()
    }

    /// Does the program's work, and ends the program with its exit status, or by a signal that arrived meanwhile.
    func run(_ work: @escaping @MainActor @Sendable () async -> Int32) {
        let task = Task { @MainActor in
            let status = await work()
            if let number = state.withLock({ $0.signal }) { Self.die(by: number) }
            exit(status)
        }
        let isCancelled = state.withLock { state in
            state.work = task
            return state.signal != nil
        }
        if isCancelled { task.cancel() }
    }

    /// Cancels the work. The signal ends the program when the work has ended, or after a timeout.
    func begin(by number: Int32) {
        let work = state.withLock { state in
            if state.signal == nil { state.signal = number }
            return state.work
        }
        work?.cancel()
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: Self.timeout / .seconds(1))
            Self.die(by: number)
        }
    }

    private static func next(of signals: sigset_t) -> Int32 {
        var signals = signals
        var number: Int32 = 0
        while sigwait(&signals, &number) != 0 {}
        return number
    }

    private static func die(by number: Int32) -> Never {
        if number == SIGPIPE { signal(SIGPIPE, SIG_DFL) }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // A signal that the first process of a container raises does not kill it.
        _exit(128 + number)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
        #else
        let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
