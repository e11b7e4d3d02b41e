import Dispatch
import Foundation

/// Cancels the program's work at the first signal, and ends the program at once at the second.
///
/// At the end, the program raises the signal again with its default action. A shell then sees that the program was
/// interrupted, and ends a loop around it. The exit status in the shell is 128 plus the signal, 130 after Ctrl-C.
final class Interruption: Sendable {
    private struct State {
        var signal: Int32?
        var work: Task<Int32, Never>?
        var sources: [any DispatchSourceSignal] = []
    }

    /// The main queue may be blocked by a terminal that is stopped, so signals have their own queue.
    private let queue = DispatchQueue(label: "fetch.signals")
    // `nonisolated(unsafe)`: used on `queue` only.
    nonisolated(unsafe) private var state = State()

    /// Does the work, and ends the program with its exit status, or by the signal that cancelled it.
    func run(_ work: @escaping @MainActor @Sendable (Interruption) async -> Int32) async -> Never {
        // Without SIGPIPE, writing to a closed pipe fails, and the program can end in order.
        signal(SIGPIPE, SIG_IGN)
        let task = Task { await work(self) }
        queue.sync {
            state.work = task
            state.sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
                let isIgnored =
                    unsafeBitCast(signal(number, SIG_IGN), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
                if isIgnored { return nil }  // under `nohup`, or in the background of a script
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { self.receive(number) }
                source.activate()
                return source
            }
        }
        let status = await task.value
        if let signal = queue.sync(execute: { state.signal }) { Self.die(by: signal) }
        exit(status)
    }

    /// Cancels the work as if this signal had arrived.
    func begin(by number: Int32) { queue.async { self.receive(number) } }

    private func receive(_ number: Int32) {
        if state.signal != nil { Self.die(by: number) }
        state.signal = number
        state.work?.cancel()
    }

    private static func die(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // The first process of a container survives its own signals.
        _exit(128 + number)
    }
}
