import Dispatch
import Foundation
import NetworkIndicator

/// Ends the program with its exit status, or by a signal after the work has been cancelled.
///
/// At the end, the signal gets its default action again and is raised again. The parent process can then read it from the
/// exit status.
final class Termination: Sendable {
    // `@unchecked Sendable`: the lock guards it. Dispatch doesn't declare sources as `Sendable`.
    private struct State: @unchecked Sendable {
        var signal: Int32?
        var work: Task<Void, Never>?
        var sources: [any DispatchSourceSignal] = []
    }

    private let state = Lock(State())

    /// The signals that were ignored when the program began. They don't end it.
    private let ignored: Set<Int32>

    /// How long cancelled work may take.
    private static let timeout: DispatchTimeInterval = .seconds(3)

    /// The signal that is ending the program.
    var signal: Int32? { state.withLock(\.signal) }

    /// Takes over SIGINT, SIGTERM, SIGHUP and SIGPIPE, except those that are ignored.
    init() {
        // Without SIGPIPE, `write` fails with EPIPE. The program has no child processes that would inherit this.
        ignored = Set([SIGINT, SIGTERM, SIGHUP, SIGPIPE].filter(Self.ignore))
    }

    /// Does the program's work, and ends the program with its exit status, or by a signal that arrived meanwhile.
    func run(_ work: @escaping @MainActor @Sendable () async -> Int32) {
        let task = Task { @MainActor in
            let status = await work()
            if let signal { Self.die(by: signal) }
            exit(status)
        }
        state.withLock { $0.work = task }
        let queue = DispatchQueue(label: "fetch.signals")
        for number in [SIGINT, SIGTERM, SIGHUP] where !ignored.contains(number) {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [self] in
                // A second signal ends the program at once.
                if signal != nil { Self.die(by: number) }
                begin(by: number)
            }
            source.activate()
            state.withLock { $0.sources.append(source) }
        }
    }

    /// Cancels the work. The signal ends the program when the work has ended, or after a timeout.
    ///
    /// - Returns: `false`, without an effect, if the signal was ignored when the program began.
    @discardableResult
    func begin(by number: Int32) -> Bool {
        if ignored.contains(number) { return false }
        let work = state.withLock { state in
            state.signal = state.signal ?? number
            return state.work
        }
        work?.cancel()
        DispatchQueue(label: "fetch.timeout").asyncAfter(deadline: .now() + Self.timeout) { Self.die(by: number) }
        return true
    }

    private static func die(by number: Int32) -> Never {
        Foundation.signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // A signal that the first process of a container raises does not kill it.
        _exit(128 + number)
    }

    /// Ignores a signal.
    ///
    /// - Returns: Whether it was already ignored.
    private static func ignore(_ number: Int32) -> Bool {
        unsafeBitCast(Foundation.signal(number, SIG_IGN), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
