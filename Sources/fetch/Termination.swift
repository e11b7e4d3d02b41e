import Foundation
import NetworkIndicator

/// The end by a signal: nothing is left behind, and the parent sees which signal it was.
///
/// The signals are blocked in every thread, and one thread waits for them. So what is done about them is ordinary code,
/// free to take locks; and the indicator's own handler runs when the signal is raised again at the end.
final class Termination: Sendable {
    private let files: TemporaryFiles
    private let farewell = Lock<(@Sendable () -> Void)?>(nil)
    /// Whether nobody wants the program to end because nobody reads its output: SIGPIPE was ignored when it began.
    let ignoresLostReaders = isIgnored(SIGPIPE)

    init(files: TemporaryFiles) {
        self.files = files
    }

    /// Takes over SIGINT, SIGTERM and SIGHUP, except those that are ignored. To be called before there are other threads.
    func takeOver() {
        signal(SIGPIPE, SIG_IGN)  // told by EPIPE instead; there are no children to inherit it
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] where !Self.isIgnored(number) { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let waited = signals
        let thread = Thread { [self] in
            var signals = waited
            var number: Int32 = 0
            while sigwait(&signals, &number) != 0 {}
            end(by: number)
        }
        thread.name = "fetch.signals"
        thread.start()
    }

    /// Sets what else is done before a signal ends the program.
    func atEnd(_ farewell: @escaping @Sendable () -> Void) { self.farewell.withLock { $0 = farewell } }

    /// Removes what is not complete, and dies by a signal.
    func end(by number: Int32) {
        farewell.withLock { $0 }?()
        files.removeAll {
            if number == SIGPIPE { signal(SIGPIPE, SIG_DFL) }
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, number)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            raise(number)
            // The first process of a container is not killed by its own signals.
            _exit(128 + number)
        }
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
