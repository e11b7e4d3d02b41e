import Foundation
import NetworkIndicatorTerminal

/// After a signal, the program cancels its work and then raises the signal again. After Ctrl-C, a shell that runs the
/// program in a loop therefore also ends the loop. A second signal ends the program at once, as do three seconds, for
/// example if nothing reads from the pipe of `--timeline`.
final class Interruption: Sendable {
    // After Ctrl-S, writing to the terminal may block the main queue, so the signal sources use another queue.
    private let queue = DispatchQueue(label: "fetch.signals")
    private let indicator: TerminalIndicator
    // `nonisolated(unsafe)`: after initialization, these variables are accessed only on `queue`.
    nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []
    nonisolated(unsafe) private var received: Int32?

    init(of work: Task<Int32, Never>, _ indicator: TerminalIndicator) {
        self.indicator = indicator
        // Without job control, a shell starts programs in the background with SIGINT ignored, as `nohup` does with
        // SIGHUP. The first member of the structure is the handler.
        let numbers = [SIGINT, SIGTERM, SIGHUP].filter { number in
            var action = sigaction()
            sigaction(number, nil, &action)
            return withUnsafeBytes(of: action) { $0.load(as: Int.self) } != unsafeBitCast(SIG_IGN, to: Int.self)
        }
        sources = numbers.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [self] in
                if received != nil { die(by: number) }
                received = number
                work.cancel()
                queue.asyncAfter(deadline: .now() + 3) { self.die(by: number) }
            }
            // Before this line, the signal ends the program.
            source.activate()
            return source
        }
        #if !os(Linux)
        // On Linux, Dispatch replaces the default action.
        for number in numbers { signal(number, SIG_IGN) }
        #endif
    }

    func end(_ status: Int32) -> Never {
        queue.sync { if let received { die(by: received) } }
        exit(status)
    }

    private func die(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        indicator.eraseOnInterruption()
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // Another thread erases the row within 2 s. The default action doesn't terminate process 1 of a container.
        sleep(3)
        _exit(128 + number)
    }
}
