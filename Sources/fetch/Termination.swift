import Foundation

/// The end of the program: by its own exit status, or by a signal after the work has been cancelled.
///
/// The parent process sees which signal it was. The signals are blocked in every thread, and one thread waits for them.
/// So the reaction to them is ordinary code. The indicator's own handler runs when the signal is raised again at the end.
final class Termination: Sendable {
    private struct State {
        var signal: Int32?
        var work: Task<Void, Never>?
    }

    private let state = Locked(State())

    /// Whether SIGPIPE was ignored when the program began: then a reader that closes the output does not end it.
    let ignoresLostReaders = isIgnored(SIGPIPE)

    /// How long cancelled work may take.
    private static let timeout = Duration.seconds(3)

    /// Whether a signal is ending the program.
    var isUnderWay: Bool { state.withLock { $0.signal != nil } }

    /// Takes over SIGINT, SIGTERM and SIGHUP, except those that are ignored. Call this before there are other threads.
    func takeOver() {
        // `write` returns EPIPE instead. No child inherits this.
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

    /// Does the program's work, and ends the program with its exit status or by the signal that came meanwhile.
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

    /// Cancels the work. The program dies by the signal when that has ended, or when it takes too long.
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
        // The first process of a container is not killed by its own signals.
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
