import Dispatch
import Foundation
import NetworkIndicatorTerminal

/// After a signal, the program cancels its work and then raises the signal again. After Ctrl-C, a shell that runs the
/// program in a loop therefore also ends the loop.
final class Interruption: Sendable {
    private struct State {
        var signal: Int32?
        var earliestEnd = DispatchTime.now()
        var work: Task<Int32, Never>?
        var sources: [any DispatchSourceSignal] = []
        var indicator: TerminalIndicator?
    }

    // After Ctrl-S, writing to the terminal may block the main queue, so the signal sources use another queue.
    private let queue = DispatchQueue(label: "fetch.signals")
    // `nonisolated(unsafe)`: the state is accessed only on `queue`.
    nonisolated(unsafe) private var state = State()

    func attach(_ indicator: TerminalIndicator) { queue.sync { state.indicator = indicator } }

    func run(_ work: @escaping @MainActor @Sendable (Interruption) async -> Int32) async -> Never {
        // While SIGPIPE is ignored, writing to a closed pipe fails with `EPIPE`, so the program can clean up before it
        // exits.
        signal(SIGPIPE, SIG_IGN)
        let task = Task { await work(self) }
        queue.sync {
            state.work = task
            for number in [SIGINT, SIGTERM, SIGHUP] {
                let isIgnored =
                    unsafeBitCast(signal(number, SIG_IGN), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
                if isIgnored { continue }
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { self.receive(number) }
                source.activate()
                state.sources.append(source)
            }
        }
        let status = await task.value
        queue.sync { if let signal = state.signal { die(by: signal) } }
        exit(status)
    }

    func begin(by number: Int32) { queue.async { self.receive(number) } }

    /// A second signal ends the program at once. Even if it comes within milliseconds, the program has time to remove
    /// its files.
    private func receive(_ number: Int32) {
        guard state.signal == nil else {
            return queue.asyncAfter(deadline: state.earliestEnd) { self.die(by: number) }
        }
        state.signal = number
        state.earliestEnd = .now() + .milliseconds(100)
        state.work?.cancel()
    }

    private func die(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        state.indicator?.eraseOnInterruption()
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // The row is erased on another thread. The default action doesn't terminate process 1 of a container.
        sleep(1)
        _exit(128 + number)
    }
}
